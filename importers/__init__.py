"""From files to traces: logs, data directories, archives and prepared Parquet."""
