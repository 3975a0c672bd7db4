"""What the import dialog shows and what a person chose in it, as values: no Qt."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import Final

from core.errors import QuestionError
from core.message import Listing
from core.trace.units import SECOND_NS
from gui.text.spoken import tr, worded
from importers.merge.zones import Zone, to_utc
from importers.options import ImportOptions
from importers.preview import FoundFile, Is, Preview

_BASIS: Final[Mapping[str, str]] = {
    "printed": "import-choices.printed-in-its-lines",
    "stated": "import-choices.as-you-said",
    "inferred": "import-choices.found-in-its-lines",
    "assumed": "import-choices.assumed-no-line-says-it",
}
_FOUND_BY: Final[Mapping[str, str]] = {
    "content": "import-choices.its-lines-say-so",
    "neighbour": "import-choices.from-the-logs-beside-it",
    "path": "import-choices.from-its-path",
    "stated": "import-choices.as-you-said",
    "": "import-choices.nobody-says-whose-it-is",
}


@dataclass(frozen=True, slots=True)
class Choices:
    """What a person changed. `zones` is by broker, None for files whose broker is not known."""

    zones: Mapping[int | None, str] = field(default_factory=dict[int | None, str])
    brokers: Mapping[str, int] = field(default_factory=dict[str, int])
    left_out: frozenset[str] = frozenset()
    topic: str = ""
    year: int | None = None


@dataclass(frozen=True, slots=True)
class BrokerRow:
    """One broker as the dialog lists it; None is who is not known. `first` and `last` are ns UTC."""

    broker: int | None
    version: str
    logs: int
    data: int
    first: int | None
    last: int | None
    zone: str
    basis: str
    printed: bool
    """All its stamps have their zone with them: nothing is to be chosen."""


@dataclass(frozen=True, slots=True)
class FileRow:
    """One log, one data directory, or all files that nobody reads. `files` are what it stands for."""

    title: str
    is_: Is
    files: tuple[FoundFile, ...]
    broker: int | None
    found_by: str
    editable: bool
    """Whether its broker may be said: no line of it does."""
    size: int | None
    first: int | None
    last: int | None
    told: str
    """Its layout, or why it is not read."""

    @property
    def wanted(self) -> bool:
        """Whether an import reads it."""
        return self.is_ in (Is.LOG, Is.DATA, Is.SETTINGS)

    @property
    def paths(self) -> frozenset[str]:
        """The paths of its files."""
        return frozenset(file.path for file in self.files)


def from_options(options: ImportOptions, year: int | None = None) -> Choices:
    """The choices that give these options; `year` is what was found."""
    zones = {(int(name) if name else None): zone for name, zone in options.zones.items() if name is not None}
    return Choices(zones, dict(options.brokers), options.left_out, options.topic or "", options.year or year)


def to_options(choices: Choices, before: ImportOptions) -> ImportOptions:
    """The options of an import; what the dialog does not ask about stays as it was `before`."""
    everybody = {name: zone for name, zone in before.zones.items() if name is None}
    zones = {("" if broker is None else str(broker)): zone for broker, zone in choices.zones.items()}
    return replace(
        before,
        zones={**everybody, **zones},
        brokers=dict(choices.brokers),
        left_out=choices.left_out,
        topic=choices.topic.strip() or None,
        year=choices.year,
    )


def refusal(preview: Preview, choices: Choices) -> str:
    """Why an import with these choices cannot begin; "" where it can."""
    for broker, zone in choices.zones.items():
        try:
            to_utc(zone)
        except QuestionError as error:
            advice = error.facts.advice or ""
            if broker is None:
                return tr("import-choices.zone-not-known", advice=advice)
            return tr("import-choices.zone-of-broker-not-known", broker=broker, advice=advice)
    wanted = [file for file in preview.files if file.is_ in (Is.LOG, Is.DATA)]
    if all(file.path in choices.left_out for file in wanted):
        return tr("import-choices.everything-is-left-out-tick-at")
    yearless = any(file.yearless and file.path not in choices.left_out for file in preview.files)
    if yearless and choices.year is None:
        return tr("import-choices.some-times-have-no-year-say")
    return ""


def broker_rows(preview: Preview, choices: Choices) -> tuple[BrokerRow, ...]:
    """One row a broker of what is not left out, by id; who is not known comes last."""
    files = [file for file in preview.files if file.path not in choices.left_out]
    logs = [file for file in files if file.is_ is Is.LOG]
    data = [file for file in files if file.is_ is Is.DATA]
    owners = {_owner(file, choices) for file in (*logs, *data)}
    rows: list[BrokerRow] = []
    for broker in sorted(owners, key=lambda one: (one is None, one or 0)):
        mine = [file for file in logs if _owner(file, choices) == broker]
        directories = {file.directory for file in data if _owner(file, choices) == broker}
        zone, basis = _zone(mine, broker, choices)
        version = "" if broker is None else preview.versions.get(broker, "")
        first, last = _span(mine, choices)
        printed = all(file.printed for file in mine)
        rows.append(
            BrokerRow(broker, version, len(mine), len(directories), first, last, zone, basis, printed)
        )
    return tuple(rows)


def file_rows(preview: Preview, choices: Choices) -> tuple[FileRow, ...]:
    """Logs first, then data directories, then what cannot be read, then what nobody reads, as one row."""
    logs: list[FileRow] = []
    damaged: list[FileRow] = []
    others: list[FoundFile] = []
    directories: dict[str, list[FoundFile]] = {
        file.directory: [] for file in preview.files if file.is_ is Is.DATA
    }
    for file in preview.files:
        if file.is_ is Is.LOG:
            logs.append(_file_row(file, choices))
        elif (directory := _directory(file, directories)) is not None:
            directories[directory].append(file)
        elif file.is_ is Is.DAMAGED:
            damaged.append(_file_row(file, choices))
        else:
            others.append(file)
    held = [_directory_row(name, found, choices) for name, found in sorted(directories.items())]
    logs.sort(key=lambda row: (row.broker is None, row.broker or 0, row.title))
    return (*logs, *held, *damaged, *_others(others))


def times(first: int | None, last: int | None) -> str:
    """From when to when, in UTC, without what both have in common; "" where nothing is known."""
    if first is None:
        return ""
    begin = _moment(first)
    if last is None:
        return f"{begin:%Y-%m-%d %H:%M:%S} – ?"
    end = _moment(last)
    if begin.date() == end.date():
        return f"{begin:%Y-%m-%d %H:%M:%S} – {end:%H:%M:%S}"
    return f"{begin:%Y-%m-%d %H:%M:%S} – {end:%Y-%m-%d %H:%M:%S}"


def headline(brokers: Sequence[BrokerRow]) -> str:
    """What was found, in one line."""
    known = [row for row in brokers if row.broker is not None]
    parts = [
        _brokers(len(known)) if known else "",
        ", ".join(
            sorted({tr("import-choices.kafka", version=row.version) for row in brokers if row.version})
        ),
        _logs(sum(row.logs for row in brokers)),
        _directories(sum(row.data for row in brokers)),
        times(_least(row.first for row in brokers), _most(row.last for row in brokers)),
    ]
    return "  ·  ".join(part for part in parts if part)


def doubts(preview: Preview, brokers: Sequence[BrokerRow], choices: Choices) -> str:
    """What was not found in the files and is taken for granted; "" where all was."""
    told: list[str] = []
    assumed = [row for row in brokers if row.basis == tr(_BASIS["assumed"])]
    if assumed:
        told.append(_zone_doubt([row.broker for row in assumed if row.broker is not None]))
    nobody = sum(1 for file in preview.files if file.is_ is Is.LOG and _owner(file, choices) is None)
    if nobody:
        told.append(tr("import-choices.of-no-known-broker-name-it", logs=_logs(nobody)))
    if choices.year is not None and any(file.yearless for file in preview.files):
        told.append(tr("import-choices.some-times-have-no-year-is", year=choices.year))
    return "  ".join(told)


def name_of_broker(broker: int | None) -> str:
    """A broker as the dialog and the report call it."""
    return tr("import-choices.not-known") if broker is None else tr("triage.broker", broker=broker)


def size_words(size: int | None) -> str:
    """A size as a person reads it."""
    if size is None:
        return ""
    for unit, of in (("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1_000)):
        if size >= of:
            return f"{size / of:.1f} {unit}"
    return f"{size} B"


def _zone_doubt(brokers: Sequence[int]) -> str:
    if not brokers:
        return tr("import-choices.zone-assumed")
    if len(brokers) == 1:
        return tr("import-choices.zone-of-broker-assumed", broker=brokers[0])
    return tr("import-choices.zone-of-brokers-assumed", brokers=Listing(tuple(brokers)))


def _brokers(number: int) -> str:
    return tr("frame.1-broker") if number == 1 else tr("frame.brokers", count=number)


def _logs(number: int) -> str:
    return (
        ""
        if not number
        else tr("import-choices.1-log")
        if number == 1
        else tr("import-choices.logs", count=number)
    )


def _directories(number: int) -> str:
    if not number:
        return ""
    return (
        tr("import-choices.1-data-directory")
        if number == 1
        else tr("import-choices.data-directories", count=number)
    )


def _moment(at: int) -> datetime:
    return datetime.fromtimestamp(at // SECOND_NS, tz=UTC)


def _owner(file: FoundFile, choices: Choices) -> int | None:
    return choices.brokers.get(file.name, file.broker)


def _zone_of(file: FoundFile, choices: Choices) -> Zone:
    if file.printed or file.zone is None:
        return Zone("UTC", "printed")
    chosen = choices.zones.get(_owner(file, choices))
    return file.zone if chosen is None else Zone(chosen, "stated")


def _zone(files: Sequence[FoundFile], broker: int | None, choices: Choices) -> tuple[str, str]:
    """The zone of a broker's logs and how it is known. Where one of them differs, the others are told."""
    if broker in choices.zones:
        return choices.zones[broker], tr(_BASIS["stated"])
    zones = list(dict.fromkeys(_zone_of(file, choices) for file in files))
    if not zones:
        return "", ""
    doubtful = [zone for zone in zones if zone.basis != "printed"] or zones
    basis = "assumed" if any(zone.basis == "assumed" for zone in doubtful) else doubtful[0].basis
    return ", ".join(dict.fromkeys(zone.name for zone in doubtful)), tr(_BASIS[basis])


def _span(files: Iterable[FoundFile], choices: Choices) -> tuple[int | None, int | None]:
    """From when to when logs speak, in UTC, with the zones as chosen; nothing while a zone is not one."""
    first: list[int] = []
    last: list[int] = []
    for file in files:
        try:
            utc = to_utc(_zone_of(file, choices).name)
        except QuestionError:
            return None, None
        if file.first_local is not None:
            first.append(utc(file.first_local))
        if file.last_local is not None:
            last.append(utc(file.last_local))
    return min(first, default=None), max(last, default=None)


def _file_row(file: FoundFile, choices: Choices) -> FileRow:
    first, last = _span((file,), choices)
    owner = _owner(file, choices)
    how = "stated" if file.name in choices.brokers else file.found_by
    told = "" if (said := file.layout if file.fault is None else file.fault.what) is None else worded(said)
    return FileRow(
        title=file.name,
        is_=file.is_,
        files=(file,),
        broker=owner,
        found_by=tr(_FOUND_BY[how]),
        editable=file.is_ is Is.LOG and file.found_by != "content",
        size=file.size,
        first=first,
        last=last,
        told=told,
    )


def _directory(file: FoundFile, directories: Mapping[str, object]) -> str | None:
    """The data directory in which a file lies."""
    if file.directory in directories and file.directory:
        return file.directory
    for folder in PurePosixPath(file.path).parents:
        if str(folder) in directories and str(folder) != ".":
            return str(folder)
    return None


def _directory_row(name: str, files: Sequence[FoundFile], choices: Choices) -> FileRow:
    sizes = [file.size for file in files if file.size is not None]
    owner = next((found for file in files if (found := _owner(file, choices)) is not None), None)
    faults = [file.fault.what for file in files if file.fault is not None]
    count = tr("report-rows.files", count=len(files)) if len(files) != 1 else tr("report-rows.1-file")
    return FileRow(
        title=name or tr("import-choices.the-folder-itself"),
        is_=Is.DATA,
        files=tuple(files),
        broker=owner,
        found_by=tr(_FOUND_BY[next((file.found_by for file in files if file.found_by), "")]),
        editable=False,
        size=sum(sizes),
        first=None,
        last=None,
        told=tr("import-choices.damaged", count=count, faults=len(faults)) if faults else count,
    )


def _others(files: Sequence[FoundFile]) -> tuple[FileRow, ...]:
    """What an import does not read, as one row."""
    if not files:
        return ()
    title = files[0].path if len(files) == 1 else tr("report-rows.other-files", count=len(files))
    sizes = [file.size for file in files if file.size is not None]
    told = tr("import-choices.settings-other-programs-logs-what-is")
    return (FileRow(title, Is.UNREAD, tuple(files), None, "", False, sum(sizes), None, None, told),)


def _least(values: Iterable[int | None]) -> int | None:
    return min((value for value in values if value is not None), default=None)


def _most(values: Iterable[int | None]) -> int | None:
    return max((value for value in values if value is not None), default=None)
