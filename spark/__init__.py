"""The pipeline at scale: the importers' parsers over byte ranges, window functions, Parquet."""
