"""The page of questions and scenarios."""
