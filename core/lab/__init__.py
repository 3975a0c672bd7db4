"""From a real incident to the simulator: a moment of it as a scenario, and what would have prevented it."""
