"""Tables for other people: what their columns are, made from traces and verdicts, read and judged."""
