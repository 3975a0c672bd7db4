"""Ids as Kafka writes those of clusters, topics, directories: made from a text, the same in each run."""

import base64
import hashlib


def name_of(text: str) -> str:
    """16 bytes in 22 signs: URL-safe base64, unpadded."""
    made = hashlib.blake2b(text.encode(), digest_size=16).digest()
    return base64.urlsafe_b64encode(made).decode().rstrip("=")


def topic_id(topic: str) -> str:
    """The id of a topic."""
    return name_of(f"topic {topic}")


def segment_id(name: str) -> str:
    """The id of a segment in the remote tier."""
    return name_of(f"segment {name}")


def directory_id(broker: int, *, second: bool = False) -> str:
    """The id of a broker's data directory."""
    return name_of(f"{'second ' if second else ''}directory of {broker}")


def incarnation_id(broker: int, starts: int) -> str:
    """The id of one life of a broker's process."""
    return name_of(f"life {starts} of {broker}")


CLUSTER_ID = name_of("cluster")
