"""How much memory a program held at most."""

from pathlib import Path


def peak_kib() -> int:
    """The most memory that this program held, in KiB. Linux begins `ru_maxrss` with what the parent held."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    peak = next(line for line in status.splitlines() if line.startswith("VmHWM:"))
    return int(peak.split()[1])
