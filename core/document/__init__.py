"""What a document keeps beside traces: values that people made or chose."""
