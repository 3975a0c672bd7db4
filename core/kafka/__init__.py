"""What Kafka decides: each decision once, as a pure function with the release, KIP or ticket that it comes from."""
