"""From data directories, dumps and tools' output to statements: segments, checkpoints, the metadata log."""
