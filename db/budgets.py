"""How much of a document is read at all, so that a small file cannot ask for the memory of a large one.

A document is input from strangers. Each budget is taken from lengths and counts, before anything is unpacked.
Each is larger than what the program writes of the largest clusters and incidents that it is made for:
100,000 partitions, some hundred brokers, 30 million events. Beyond a budget a document is refused in words.
"""

from typing import Final

MOST_TRACES: Final = 1_000
"""Traces of a document. An import makes one, a comparison of all eras about twenty."""
MOST_EVENTS: Final = 200_000_000
"""Events of a trace. 30 million are imported in the bench; 150 bytes each as columns."""
MOST_PARTITIONS: Final = 2_000_000
"""Partitions of a trace, as importers.limits has it: a large cluster has some hundred thousand."""
MOST_BROKERS: Final = 10_000
"""Brokers of a trace. The largest clusters have some hundred."""
MOST_REPLICAS: Final = 1_000
"""Replicas of a partition, members of an in-sync set, brokers of a finding: one a broker, so some hundred."""
MOST_SOURCES: Final = 1_000_000
"""Files of a trace. An import reads 200,000 of each source (importers.limits)."""
MOST_ISRS: Final = 2_000_000
"""Different in-sync sets, fewer than partitions."""
MOST_RECORDS: Final = 2_000_000
"""Named records of a simulated run, whose scripts write some hundred."""
MOST_FACTS: Final = 1_000_000
"""Facts of a trace: about 300 settings a broker, and some a topic."""
MOST_FINDINGS: Final = 2_000_000
"""Findings of a trace: an incident of 100,000 partitions has a few each."""
MOST_NOTES: Final = 100_000
"""Notes of a document. People write them one by one."""
MOST_TIES: Final = 100_000
"""Ends of ties. People make them one by one."""
MOST_LANES: Final = MOST_BROKERS
"""Lanes that a person arranged, one a broker."""

MOST_CELL_BYTES: Final = 128 * 1024**2
"""Of one text or blob; SQLite itself refuses longer ones (SQLITE_LIMIT_LENGTH)."""
MOST_NAME_BYTES: Final = 64 * 1024
"""Of a name, path, digest, zone or version. Paths of nested archives reach some thousand."""
MOST_PROSE_BYTES: Final = 1024**2
"""Of a note, a fact, or a sentence of a finding. The script of a simulation is the longest fact."""
MOST_LIST_BYTES: Final = 16 * 1024
"""Of the JSON of MOST_REPLICAS broker ids, 12 characters each at most, and a little."""
MOST_DETAIL_BYTES: Final = 1024**2
"""Of the JSON of a summary: 40 spells and 40 marks are some kilobytes."""
MOST_EVIDENCE_BYTES: Final = 16 * 1024**2
"""Of the JSON of a finding's Seqs, 10 characters each: more than a million events."""
MOST_REPORT_BYTES: Final = 96 * 1024**2
"""Of the JSON of an import report: 200,000 files of 400 bytes."""
MOST_JSON_HELD: Final = 352 * 1024**2
"""Bytes that one JSON text takes as objects, reckoned before it is read (db.shapes).

The report of 200,000 files of data directories takes some 250 MiB.
"""

MOST_CHUNK_EVENTS: Final = 65_536
"""Events of a chunk. 16,384 are written (db.chunks.CHUNK); 10 MB as columns."""
FLOOR_EVENTS: Final = 500_000
"""As many events are read from however few bytes: 75 MB as columns."""
LEAST_EVENT_BYTES: Final = 0.5
"""Beyond them an event has so many bytes in blobs on average: 3 to 20 in documents that were measured."""

MOST_BLOCK_BYTES: Final = 256 * 1024**2
"""Of the JSON of a block of kept lines: 256 lines of 1 MiB. Documents that were measured have some 50 kB."""
FLOOR_LINE_BYTES: Final = 16 * 1024**2
"""As many bytes of kept lines are unpacked from however few."""
MOST_LINE_RATIO: Final = 200
"""Beyond them: unpacked to packed. Logs reach about 100 (`limits.py`), in blocks of 256 lines less."""

CHECKED_WHOLE_BYTES: Final = 8 * 1024**2
"""Up to this size SQLite checks all pages of a file when it is opened, which takes some ms.

Of a larger one only the small tables: what is damaged in the others is found where it is read.
"""
MOST_STEPS: Final = 100_000_000
"""Steps of SQLite's machine for the checks of one opening, 1 to 3 s. 100,000 partitions need 2 million."""
