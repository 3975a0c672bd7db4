"""Recordings of real clusters that ship with the program."""

from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Final

from core.errors import QuestionError
from core.message import Listing, message


@dataclass(frozen=True, slots=True)
class Sample:
    """A recording: its id, what it shows in one line, and its file beside this module."""

    id: str
    title: str
    file: str


SAMPLES: Final = (
    Sample(
        "k0102-hw-loss",
        "Kafka 0.10.2.2: acknowledged records are lost in a clean election, by truncation to the high watermark",
        "k0102-hw-loss.tar.xz",
    ),
    Sample(
        "k28-epoch-fix",
        "Kafka 2.8.2: the same steps under leader epochs, and no acknowledged record is lost",
        "k28-epoch-fix.tar.xz",
    ),
    Sample(
        "k28-unclean-loss",
        "Kafka 2.8.2: an unclean election after all members of the in-sync set went down",
        "k28-unclean-loss.tar.xz",
    ),
    Sample(
        "k43-elr",
        "Kafka 4.3: what eligible leader replicas save, and what they do not",
        "k43-elr.tar.xz",
    ),
)


def sample_path(sample_id: str) -> Path:
    """The archive of a sample. Raises QuestionError for an id that there is not."""
    for sample in SAMPLES:
        if sample.id == sample_id:
            return Path(str(resources.files(__package__ or __name__))) / sample.file
    known = Listing(tuple(sample.id for sample in SAMPLES))
    raise QuestionError(
        message("error.sample.none", name=sample_id), advice=message("error.sample.known", names=known)
    )
