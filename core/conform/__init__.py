"""Which eras could have made a trace, and the first event that one could not."""
