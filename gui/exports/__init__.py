"""Exports: what the window and the command line write of what is open, from one plan by one way."""
