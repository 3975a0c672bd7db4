"""What happened: events in columns, with the evidence for each."""
