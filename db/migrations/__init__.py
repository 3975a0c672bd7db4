"""How documents came to have the tables they have."""
