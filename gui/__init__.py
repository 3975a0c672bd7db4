"""The window and the command line: all that a person touches."""
