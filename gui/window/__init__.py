"""The main window and its parts: the only room that knows the main window."""
