"""What went wrong: findings, loss ledger, divergence."""
