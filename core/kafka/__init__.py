"""What Kafka decides: each decision once, as a pure function with its release, KIP or ticket."""
