"""What would happen: a scenario run against the rules of one era, message by message, in virtual time."""
