"""Whether an era has a run that goes along a trace: the simulator's own steps, in another order or later."""
