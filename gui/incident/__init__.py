"""The incident at first sight: what was lost, why, how it went, what to do, how far it can be trusted."""
