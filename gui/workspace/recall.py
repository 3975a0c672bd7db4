"""What was open, as it is remembered on the disk: from where each tab was read, and where it stood.

`remembered` makes it of what is open; `restoring.py` opens it again. It is plain JSON, and holds no events.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

from core.trace.trace import Origin, Trace
from gui.workspace.adding import READ_FROM, told_by
from gui.workspace.parked import Held, Looked
from gui.workspace.tabbing import Tabs
from gui.workspace.tabs import Behind, Tab
from importers.options import ImportOptions

VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class Origins:
    """From where something can be opened again. One of these, the first that is there.

    `document` is one of a name; `found` one in a temporary folder, with notes that were never saved; `paths`
    and `options` logs or a data set; `script` a scenario with the eras of its runs.
    """

    document: str = ""
    found: str = ""
    title: str = ""
    paths: tuple[str, ...] = ()
    options: ImportOptions | None = None
    script: str = ""
    eras: tuple[tuple[str, str], ...] = ()
    """Each with its switches that are set otherwise, as "switch=value,…"."""
    seed: int = 1
    imported: str = ""
    """The document that was made of the logs, kept while its window was open."""
    stamp: str = ""
    """The logs as they were then on the disk (stamps.py)."""


@dataclass(frozen=True, slots=True)
class Place:
    """A tab: the sources of its runs, with the partition of each, and where in them one was.

    Runs that were opened at once are of one source.
    """

    sources: tuple[int, ...]
    partitions: tuple[str, ...]
    position: int
    view: str = ""
    window: int = 0
    """The number of the window that it was in; the first is 0."""


@dataclass(frozen=True, slots=True)
class Remembered:
    """All that was open. `current` counts tabs from 0; `lost` is how many cannot be opened again."""

    sources: tuple[Origins, ...] = ()
    places: tuple[Place, ...] = ()
    current: int = 0
    lost: int = 0
    imports: str = ""
    """The folder of the imports that the killed window had kept: goes when all is open again."""


def remembered(*windows: Tabs) -> Remembered:
    """What is open now, in all windows. In front is the tab that is in front of the first one."""
    origins: list[Origins] = []
    places: list[Place] = []
    current = lost = 0
    known: dict[int, Origins] = {}
    """By the columns of a trace that is open alone: in a comparison it may have another name."""
    every = tuple((window, tabs, tab) for window, tabs in enumerate(windows) for tab in tabs.open.tabs)
    for _, tabs, tab in every:
        _, looked, _ = values = tabs.values(tab)
        if len(looked.traces) == 1:
            stamp = tabs.open.sources[tab.source].stamp
            known |= {id(looked.traces[0].columns): one for one in _origins_of(*values, {}, stamp)}
    for window, tabs, tab in every:
        _, looked, _ = values = tabs.values(tab)
        found = _origins_of(*values, known, tabs.open.sources[tab.source].stamp)
        if not found or looked.content is None:
            lost += 1
            continue
        indexes = tuple(_index(origins, one) for one in found)
        if not window and tab.key == tabs.open.current:
            current = len(places)
        places.append(_place(tab, looked, indexes, window))
    return Remembered(tuple(origins), tuple(places), current, lost)


def _index(origins: list[Origins], wanted: Origins) -> int:
    """Where a source stands among those that were found; it is appended where it is not there yet."""
    for place, one in enumerate(origins):
        if one == wanted or (wanted.paths and (one.paths, one.options) == (wanted.paths, wanted.options)):
            if wanted.imported and not one.found:
                origins[place] = wanted
            return place
    origins.append(wanted)
    return len(origins) - 1


def _place(tab: Tab, looked: Looked, sources: tuple[int, ...], window: int) -> Place:
    content = looked.content
    runs = () if content is None else content.runs
    names = tuple(str(run.history.trace.partitions[run.history.partition].tp) for run in runs)
    return Place(sources, names, looked.position, tab.label.view, window)


def _origins_of(
    held: Held, looked: Looked, behind: Behind, known: Mapping[int, Origins], stamp: str
) -> tuple[Origins, ...]:
    """From where a tab is opened again: one for all of its runs, or one for each; () where there is none."""
    if held.path:
        return (Origins(document=held.path),)
    title = looked.content.title if looked.content is not None else ""
    if looked.traces and all(trace.origin == Origin.SIMULATED for trace in looked.traces):
        return _of_scripts(looked.traces)
    each = tuple(known.get(id(trace.columns)) or _of_logs(trace) for trace in looked.traces)
    if len(each) == 1:
        paths = each[0].paths
        kept = behind.kept.path if behind.kept is not None else ""
        folder = behind.source if behind.source and not kept else ""
        one = Origins(
            found=kept,
            title=title if kept else "",
            paths=paths or ((folder,) if folder else ()),
            options=each[0].options,
            imported=behind.imported if stamp else "",
            stamp=stamp if behind.imported else "",
        )
        return (one,) if one.found or one.paths else ()
    return each if all(one.paths or one.found or one.document for one in each) else ()


def _of_scripts(traces: tuple[Trace, ...]) -> tuple[Origins, ...]:
    first = traces[0].facts
    eras = tuple((trace.facts.get("era", ""), trace.facts.get("switches", "")) for trace in traces)
    same = {(trace.facts.get("script", ""), trace.facts.get("seed", "")) for trace in traces}
    if len(same) > 1 or not first.get("script"):
        return ()
    return (Origins(script=first["script"], eras=eras, seed=int(first["seed"])),)


def _of_logs(trace: Trace) -> Origins:
    if trace.origin != Origin.IMPORTED or READ_FROM not in trace.report:
        return Origins()
    paths, options = told_by(trace)
    return Origins(paths=paths, options=options)


def to_text(what: Remembered) -> str:
    """As JSON."""
    return json.dumps(
        {
            "tidegauge": VERSION,
            "sources": [_fields(one) for one in what.sources],
            "places": [
                {
                    "sources": one.sources,
                    "partitions": one.partitions,
                    "position": one.position,
                    "view": one.view,
                    "window": one.window,
                }
                for one in what.places
            ],
            "current": what.current,
            "lost": what.lost,
        }
    )


def from_text(text: str) -> Remembered | None:
    """From JSON; None for what is damaged, or of a later version."""
    try:
        read = json.loads(text)
        if read["tidegauge"] != VERSION:
            return None
        places = tuple(
            Place(
                tuple(map(int, one["sources"])),
                tuple(map(str, one["partitions"])),
                int(one["position"]),
                str(one["view"]),
                int(one.get("window", 0)),
            )
            for one in read["places"]
        )
        sources = tuple(_origins(one) for one in read["sources"])
        whole = Remembered(sources, places, int(read["current"]), int(read["lost"]))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None
    inside = all(0 <= one < len(sources) for place in places for one in place.sources)
    return whole if inside and all(place.sources for place in places) else None


def _fields(one: Origins) -> dict[str, Any]:
    options = one.options
    return {
        "document": one.document,
        "found": one.found,
        "title": one.title,
        "paths": one.paths,
        "options": None if options is None else _options_fields(options),
        "script": one.script,
        "eras": one.eras,
        "seed": one.seed,
        "imported": one.imported,
        "stamp": one.stamp,
    }


def _options_fields(options: ImportOptions) -> dict[str, Any]:
    return {
        "zones": [[broker, zone] for broker, zone in options.zones.items()],
        "year": options.year,
        "day": None if options.day is None else options.day.isoformat(),
        "topic": options.topic,
        "start": options.start,
        "end": options.end,
        "broker": options.broker,
        "name": options.name,
        "brokers": dict(options.brokers),
        "left_out": sorted(options.left_out),
    }


def _origins(read: Mapping[str, Any]) -> Origins:
    told = read["options"]
    return Origins(
        str(read["document"]),
        str(read["found"]),
        str(read["title"]),
        tuple(map(str, read["paths"])),
        None if told is None else _options(cast("dict[str, Any]", told)),
        str(read["script"]),
        tuple((str(era), str(switches)) for era, switches in read["eras"]),
        int(read["seed"]),
        str(read.get("imported", "")),
        str(read.get("stamp", "")),
    )


def _options(told: Mapping[str, Any]) -> ImportOptions:
    from datetime import date

    return ImportOptions(
        zones=dict(map(tuple, told["zones"])),
        year=told["year"],
        day=None if told["day"] is None else date.fromisoformat(told["day"]),
        topic=told["topic"],
        start=told["start"],
        end=told["end"],
        broker=told["broker"],
        name=told["name"],
        brokers=dict(told["brokers"]),
        left_out=frozenset(told["left_out"]),
    )


def there(one: Origins, found: Iterable[str]) -> bool:
    """Whether something can be opened from where it was: `found` are documents that dead processes left."""
    if one.document:
        return Path(one.document).exists()
    if one.found and one.found in set(found):
        return True
    return bool(one.script) or (bool(one.paths) and all(Path(path).exists() for path in one.paths))
