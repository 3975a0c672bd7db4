"""What a run comes to if single rules are others: the outcome, and the switches that carry it."""
