"""One account of each incident: every surface takes its numbers from it."""
