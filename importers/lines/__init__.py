"""From the bytes of a log to statements that do not know their broker, zone or place yet."""
