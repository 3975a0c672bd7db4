"""What differs: alignment, first diverging decision."""
