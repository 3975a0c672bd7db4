"""Whether the simulator does what the published model allows: a run held against a variant, step by step."""
