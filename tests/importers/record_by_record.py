"""A reference: the parser as it reads where nothing is known of shapes, one record after the other."""

from importers.drafts import Draft, Drafts, Example, Fact, Fate
