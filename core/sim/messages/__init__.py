"""What is sent from one to another, and what falls due by time, each with its own type."""
