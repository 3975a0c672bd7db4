"""Getting to any place and any action by typing."""
