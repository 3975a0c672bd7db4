"""What is open, and what is done with it: everything of the window that needs no Qt."""
