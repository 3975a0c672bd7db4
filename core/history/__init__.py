"""From the events of a trace to what was true when: step functions, bounds, the state at a cursor."""
