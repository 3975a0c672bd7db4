"""The subject: traces, history, Kafka's rules, the simulator, diagnosis, comparison and pictures."""
