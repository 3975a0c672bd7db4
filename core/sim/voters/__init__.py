"""The metadata quorum itself: controllers as voters, with elections, fetches and decisions (KIP-595)."""
