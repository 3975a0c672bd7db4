"""From what a person names to members: files, folders, archives, exports of log tools. Nothing is written."""
