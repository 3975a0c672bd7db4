"""All partitions at a glance."""
