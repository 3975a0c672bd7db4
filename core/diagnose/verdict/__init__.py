"""From histories to what went wrong, as values with their evidence: losses, cuts, divergences, findings."""
