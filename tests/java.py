"""How the Java machines of tests start: each lives for seconds."""

import sys
from pathlib import Path
from typing import Final

BRIEFLY: Final = (
    "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote"
)
"""The quick compiler alone takes 0.6 times the time of both for a small data set, 0.7 for the first one.

To verify Spark's own classes takes a fifth of a start.
"""
ARCHIVE: Final = Path(sys.prefix) / "spark-classes.jsa"
"""Spark's classes as Java keeps them once they are read, where tests/spark/classes.py has made it."""


def java_options() -> str:
    """For Spark's Java. One with other jars takes no archive, and would say so on stdout, which is read."""
    return f"{BRIEFLY} -Xlog:cds*=off -XX:SharedArchiveFile={ARCHIVE}" if ARCHIVE.exists() else BRIEFLY
