"""The panels around the timeline: each shows the session and asks it for changes."""
