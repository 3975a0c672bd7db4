"""From statements of many files to one trace: brokers, zones, clocks, lives, one order, a report."""
