"""From messages to text: the catalogues of sentences, and how values are written. No Qt."""
