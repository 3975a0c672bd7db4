"""A question in SQL about what is open, and its rows."""
