"""What real brokers would have written in a simulated run: logs, checkpoints, segments."""
