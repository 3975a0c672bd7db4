"""What is open side by side, as values: tabs, which of them is in front, what was closed last.

One function, `after`, makes of what is open and of a deed what is open then. Nothing is told or done here.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final, TypeAlias

from gui.workspace.keeping import Added, Kept
from gui.workspace.one_or_two import Question
from gui.workspace.parked import Held, Looked

MOST_CLOSED: Final = 10
"""So many closed tabs can be opened again; what they showed stays in memory as long."""


@dataclass(frozen=True, slots=True)
class Behind:
    """What stands behind a source: its document, if it has one, and what was written into it."""

    kept: Kept | None = None
    source: str = ""
    """The document or data set that partitions are read from one at a time; "" where all are in memory."""
    asked: Added = field(default_factory=Added)
    imported: str = ""
    """The document of the import that it was read from, where that was kept."""


@dataclass(frozen=True, slots=True)
class Source:
    """What was opened at once: a document, an incident, runs beside one another."""

    stamp: str = ""
    """What was named, as it was then on the disk (stamps.py); "" where nothing was named."""
    held: Held | None = None
    """None while a tab of it is in front: the session has it."""
    behind: Behind = Behind()
    whole: bool = False
    """Whether partitions of it can be looked at in several tabs: all of it is in memory."""


@dataclass(frozen=True, slots=True)
class Label:
    """What a tab says of itself."""

    what: str = ""
    """A partition, or those that are compared."""
    of: str = ""
    """The title of the source, or what the runs are called."""
    sign: str = ""
    """The check of the worst finding; "" where nothing was found."""
    compared: bool = False
    view: str = ""
    """The page that is looked at; "" is the lanes."""


@dataclass(frozen=True, slots=True)
class Tab:
    """One place that is open. Its key is given once, and stays when it goes to another window."""

    key: int
    source: int
    label: Label = Label()
    looked: Looked | None = None
    """None while it is in front: the session has it."""
    question: Question | None = None
    """Whether its two sources are one cluster, until it is answered; and what was answered."""


@dataclass(frozen=True, slots=True)
class Shut:
    """A tab that was closed, with where it stood."""

    tab: Tab
    at: int
    source: Source


@dataclass(frozen=True, slots=True)
class Open:
    """All that is open. `current` is the key of the tab in front, 0 where there is none."""

    tabs: tuple[Tab, ...] = ()
    current: int = 0
    sources: Mapping[int, Source] = field(default_factory=lambda: MappingProxyType({}))
    closed: tuple[Shut, ...] = ()
    """The last one is the newest."""
    last: int = 0
    """The last key that was given, to a tab or a source. Desks of one workspace count from different ones."""

    @property
    def here(self) -> Tab | None:
        """The tab in front."""
        return self.tab(self.current)

    def tab(self, key: int) -> Tab | None:
        """The tab with a key."""
        return next((tab for tab in self.tabs if tab.key == key), None)

    def place(self, key: int) -> int:
        """Where a tab stands, from 0. Raises StopIteration for one that is not open."""
        return next(place for place, tab in enumerate(self.tabs) if tab.key == key)

    def of_source(self, source: int) -> tuple[Tab, ...]:
        """All tabs of a source."""
        return tuple(tab for tab in self.tabs if tab.source == source)

    def shares(self, tab: Tab) -> bool:
        """Whether another tab of its source is open, or was closed and can be opened again."""
        closed = (shut.tab for shut in self.closed)
        return any(one.source == tab.source and one.key != tab.key for one in (*self.tabs, *closed))

    def neighbour(self, key: int, going: Collection[int] = ()) -> int:
        """The tab that comes to the front when one goes: the one after it, else before it; 0 is none.

        `going` are others that go with it.
        """
        place = self.place(key)
        others = (*self.tabs[place + 1 :], *reversed(self.tabs[:place]))
        return next((tab.key for tab in others if tab.key not in going), 0)

    def stepped(self, step: int) -> int:
        """The tab so many places on, round about; 0 where none is open."""
        if not self.tabs:
            return 0
        here = self.place(self.current) if self.here else -1 if step > 0 else 0
        return self.tabs[(here + step) % len(self.tabs)].key


@dataclass(frozen=True, slots=True)
class Begin:
    """Open a tab behind the one in front, which was parked, and bring it to the front.

    It is of a new source, or of the one in front.
    """

    same: bool = False


@dataclass(frozen=True, slots=True)
class Add:
    """Open a tab of a new source in front of the current one, which stays in front of the person."""

    label: Label
    looked: Looked
    source: Source


@dataclass(frozen=True, slots=True)
class Join:
    """Put tabs of one source, that were open elsewhere, behind all others; what is in front stays there."""

    tabs: tuple[Tab, ...]
    source: Source


@dataclass(frozen=True, slots=True)
class Park:
    """Set aside what the session has of the tab in front: no tab is then."""

    held: Held
    looked: Looked
    behind: Behind


@dataclass(frozen=True, slots=True)
class Part:
    """Give the tab in front, which was parked, a source of its own: something else takes its place.

    Others of its source, open or closed, keep what was parked.
    """


@dataclass(frozen=True, slots=True)
class Choose:
    """Bring a tab to the front: the session has what it held."""

    key: int


@dataclass(frozen=True, slots=True)
class Move:
    """Move a tab to another place, from 0."""

    key: int
    to: int


@dataclass(frozen=True, slots=True)
class Close:
    """Close a tab that is not in front, and remember it as the one that was closed last."""

    key: int
    remember: bool = True


@dataclass(frozen=True, slots=True)
class Reopen:
    """Put a tab that was closed where it stood; it is not in front. -1 is the one that was closed last."""

    which: int = -1


@dataclass(frozen=True, slots=True)
class Tell:
    """Say what the tab in front shows, and what its source is."""

    label: Label
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Stamp:
    """Say what the source of the tab in front was read from."""

    stamp: str


@dataclass(frozen=True, slots=True)
class Ask:
    """Ask something about a tab, or hold what was answered; None asks nothing any more."""

    key: int
    question: Question | None


Deed: TypeAlias = Begin | Add | Join | Park | Part | Choose | Move | Close | Reopen | Tell | Stamp | Ask


def after(now: Open, deed: Deed) -> Open:
    """What is open after a deed. One that is about a tab that is not open changes nothing."""
    match deed:
        case Begin():
            made = _begun(now, same=deed.same)
        case Add():
            made = _added(now, deed)
        case Join():
            made = _joined(now, deed)
        case Park():
            made = _parked(now, deed)
        case Part():
            made = _parted(now)
        case Choose():
            made = _chosen(now, deed.key)
        case Move():
            made = _moved(now, deed)
        case Close():
            made = _closed(now, deed)
        case Reopen():
            made = _reopened(now, deed.which)
        case Ask():
            tab = now.tab(deed.key)
            made = now if tab is None else _put(now, replace(tab, question=deed.question))
        case Tell() | Stamp():
            made = _told(now, deed)
    return made


def _begun(now: Open, *, same: bool) -> Open:
    here, last = now.here, now.last + 1
    source = here.source if same and here is not None else last + 1
    sources = now.sources if source in now.sources else _with(now, source, Source())
    tab = Tab(last, source)
    at = len(now.tabs) if here is None else now.place(here.key) + 1
    return replace(
        now,
        tabs=(*now.tabs[:at], tab, *now.tabs[at:]),
        current=last,
        sources=sources,
        last=max(last, source),
    )


def _added(now: Open, deed: Add) -> Open:
    key, source = now.last + 1, now.last + 2
    at = len(now.tabs) if now.here is None else now.place(now.current)
    tab = Tab(key, source, deed.label, deed.looked)
    return replace(
        now,
        tabs=(*now.tabs[:at], tab, *now.tabs[at:]),
        sources=_with(now, source, deed.source),
        last=source,
    )


def _joined(now: Open, deed: Join) -> Open:
    source, last = deed.tabs[0].source, now.last
    if source in now.sources:
        # It went from here, and others of it stayed: from then on they were two.
        source = last = last + 1
    tabs = tuple(replace(tab, source=source) for tab in deed.tabs)
    return replace(now, tabs=(*now.tabs, *tabs), sources=_with(now, source, deed.source), last=last)


def _parked(now: Open, deed: Park) -> Open:
    here = now.here
    if here is None:
        return now
    source = replace(now.sources[here.source], held=deed.held, behind=deed.behind)
    return replace(_put(now, replace(here, looked=deed.looked)), sources=_with(now, here.source, source))


def _parted(now: Open) -> Open:
    here = now.here
    if here is None:
        return now
    left, own = now.sources[here.source], now.last + 1
    sources = {**now.sources, own: Source()}
    if len(now.of_source(here.source)) == 1:
        del sources[here.source]
    return replace(
        _put(now, replace(here, source=own, looked=None)),
        sources=MappingProxyType(sources),
        closed=tuple(
            replace(shut, source=left) if shut.tab.source == here.source else shut for shut in now.closed
        ),
        last=own,
    )


def _chosen(now: Open, key: int) -> Open:
    tab = now.tab(key)
    if tab is None:
        return now
    source = replace(now.sources[tab.source], held=None)
    return replace(_put(now, replace(tab, looked=None)), current=key, sources=_with(now, tab.source, source))


def _moved(now: Open, deed: Move) -> Open:
    tab = now.tab(deed.key)
    if tab is None:
        return now
    others = [one for one in now.tabs if one is not tab]
    others.insert(max(0, min(deed.to, len(others))), tab)
    return replace(now, tabs=tuple(others))


def _closed(now: Open, deed: Close) -> Open:
    tab = now.tab(deed.key)
    if tab is None:
        return now
    shut = Shut(tab, now.place(deed.key), now.sources[tab.source])
    tabs = tuple(one for one in now.tabs if one is not tab)
    sources = now.sources
    if not any(one.source == tab.source for one in tabs):
        sources = MappingProxyType({key: one for key, one in sources.items() if key != tab.source})
    closed = (*now.closed, shut)[-MOST_CLOSED:] if deed.remember else now.closed
    current = 0 if now.current == deed.key else now.current
    return replace(now, tabs=tabs, current=current, sources=sources, closed=closed)


def _reopened(now: Open, which: int) -> Open:
    if not now.closed:
        return now
    shut = now.closed[which]
    at = min(shut.at, len(now.tabs))
    # Where another tab of the source is open, that one has what was added since.
    sources = now.sources if shut.tab.source in now.sources else _with(now, shut.tab.source, shut.source)
    return replace(
        now,
        tabs=(*now.tabs[:at], shut.tab, *now.tabs[at:]),
        sources=sources,
        closed=tuple(one for one in now.closed if one is not shut),
    )


def _told(now: Open, deed: Tell | Stamp) -> Open:
    here = now.here
    if here is None:
        return now
    source = now.sources[here.source]
    if isinstance(deed, Stamp):
        return replace(now, sources=_with(now, here.source, replace(source, stamp=deed.stamp)))
    if source.whole != deed.whole:
        now = replace(now, sources=_with(now, here.source, replace(source, whole=deed.whole)))
    return now if here.label == deed.label else _put(now, replace(here, label=deed.label))


def _put(now: Open, tab: Tab) -> Open:
    return replace(now, tabs=tuple(tab if one.key == tab.key else one for one in now.tabs))


def _with(now: Open, key: int, source: Source) -> Mapping[int, Source]:
    return MappingProxyType({**now.sources, key: source})
