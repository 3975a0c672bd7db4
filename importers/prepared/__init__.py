"""From a data set that the Spark pipeline wrote to traces and a triage table."""
