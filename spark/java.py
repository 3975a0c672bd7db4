"""Which Java there is. Needs no Spark, so that `tidegauge doctor` can ask where pyspark is missing."""

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Final

JAVA_NEEDED: Final = 17


def java_version() -> int | None:
    """The major version of the Java that Spark would start, None where there is none that runs."""
    home = os.environ.get("JAVA_HOME")
    java = str(Path(home) / "bin" / "java") if home else shutil.which("java")
    if java is None:
        return None
    try:
        answer = subprocess.run([java, "-version"], capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    match = re.search(r'version "(?:1\.)?(\d+)', answer.stderr + answer.stdout)
    return int(match[1]) if match else None
