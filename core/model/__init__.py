"""What is possible: the published abstract model of replication, its variants, and what explores them."""
