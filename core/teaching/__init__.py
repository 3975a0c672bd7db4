"""Lessons: their text as values, what they claim of a run, and their questions, which the run answers."""
