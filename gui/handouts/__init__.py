"""A lesson as something to take along."""
