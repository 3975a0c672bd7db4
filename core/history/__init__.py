"""What was true when: step functions, bounds, the state at a cursor."""
