"""What to draw: lanes, scales, marks; pure, no Qt."""
