"""Workers of this machine, as pyspark makes them, with pyspark from its folder.

Spark puts a zip of pyspark before all other places, of which each worker compiles anew what it needs: that
takes seconds. A folder has it as Python has compiled it. Started with `-m`, by the name in `session.py`.
"""

import sys
from importlib.machinery import PathFinder

_elsewhere = [one for one in sys.path if not one.endswith("pyspark.zip")]
if PathFinder.find_spec("pyspark", _elsewhere) is not None:
    sys.path[:] = _elsewhere

from pyspark.daemon import manager  # noqa: E402 - of that place

if __name__ == "__main__":
    manager()
