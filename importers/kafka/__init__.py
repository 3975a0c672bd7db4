"""The grammar of Kafka's log lines: rules from a message to what it states."""
