"""From a verdict and a cursor to sentences: what happened, why, by which rule of which release."""
