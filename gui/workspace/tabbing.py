"""Brings tabs to the front, and closes them: what the session and the store have becomes that of another tab.

Each way is one deed on the values of `tabs.py`; here is what has to be parked and resumed for it.
"""

from collections.abc import Iterator
from dataclasses import replace

from core.diagnose.verdict.checks import CHECK
from core.diagnose.verdict.summary import Triage
from core.document.lane_order import USUAL
from core.picture.drawing import PLAIN
from gui.workspace.changes import Change, Told
from gui.workspace.content import Content, first_of
from gui.workspace.halves import WHOLE
from gui.workspace.loading import Loaded
from gui.workspace.one_or_two import Question
from gui.workspace.parked import Held, Looked
from gui.workspace.pinned import PinnedNote
from gui.workspace.session import Session
from gui.workspace.stamps import is_same_path
from gui.workspace.store import Store
from gui.workspace.tabs import (
    Add,
    Ask,
    Begin,
    Behind,
    Choose,
    Close,
    Deed,
    Join,
    Label,
    Move,
    Open,
    Park,
    Part,
    Reopen,
    Source,
    Stamp,
    Tab,
    Tell,
    after,
)
from gui.workspace.undo import Edits

_BETWEEN = " | "


class Tabs:
    """The tabs of one desk. The one in front is what its session and store have."""

    def __init__(
        self, session: Session, store: Store, changed: Change[Open] | None = None, first: int = 0
    ) -> None:
        """Nothing is open. `changed` tells what is open after each deed; keys are counted from `first`."""
        self._session, self._store = session, store
        self.open = Open(last=first)
        self._told = self.open
        self.changed = changed or Told[Open]()
        self.halves = WHOLE
        """Which two of them are seen at once."""
        self._switching = False
        store.make_room, store.bring = self._make_room, self.bring
        self.follow()

    def follow(self) -> None:
        """Hear from now on what the session shows."""
        self._session.content_changed.connect(self._content_changed)

    def tell_through(self, changed: Change[Open]) -> None:
        """Tell through this from now on; who listened to another hears nothing any more."""
        self.changed = changed

    def choose(self, key: int) -> None:
        """Bring a tab to the front, where it stood when it was left. No file is read."""
        if key == self.open.current or self.open.tab(key) is None:
            return
        self._park()
        self._resume(key)

    def step(self, step: int) -> None:
        """Bring the tab so many places on to the front, round about."""
        self.choose(self.open.stepped(step))

    def move(self, key: int, to: int) -> None:
        """Move a tab to another place, from 0."""
        self._do(Move(key, to))

    def duplicate(self) -> bool:
        """Open what is in front in a tab of its own, to go on from there; whether that can be.

        What is read one partition at a time, and what is compared, is in one tab.
        """
        here = self.open.here
        if here is None or not self.open.sources[here.source].whole:
            return False
        self._park()
        self._switching = True
        try:
            source, label = self.open.sources[here.source], here.label
            self.open = after(self.open, Begin(same=True))
            self._store.resume(source.behind)
        finally:
            self._switching = False
        self._do(Choose(self.open.current), Tell(label, whole=True))
        return True

    def close(self, key: int) -> None:
        """Close a tab; the next one comes to the front. `reopen` brings it back with all that was in it."""
        tab = self.open.tab(key)
        if tab is None:
            return
        following = self.open.neighbour(key)
        if key == self.open.current:
            self._park()
        behind = self.open.sources[tab.source].behind
        self._switching = True
        try:
            self.open = after(self.open, Close(key))
            if tab.source not in self.open.sources:
                self._store.let_go(behind)
            if not self.open.here and not following:
                self._session.close()
        finally:
            self._switching = False
        if self.open.here is None and following:
            self._resume(following)
        self._tell()

    def reopen(self, which: int = -1) -> bool:
        """Open a tab that was closed where it stood, -1 the last one; False where none was."""
        if not self.open.closed:
            return False
        tab = self.open.closed[which].tab
        if self.open.here is not None:
            self._park()
        self.open = after(self.open, Reopen(which))
        self._resume(tab.key)
        return True

    def add(self, loaded: Loaded, stamp: str = "", view: str = "") -> int:
        """Put something in a tab before the one in front, which stays there; gives its key.

        `view` is the page that is looked at first.
        """
        held = Held(
            "", loaded.triage, loaded.account, loaded.notes, loaded.later, USUAL, 0, 0, Edits()
        )  # fmt: skip
        at = first_of(loaded.content) if loaded.position is None else loaded.position
        language = self._session.language
        looked = Looked(loaded.content, loaded.traces, at, None, None, None, PLAIN, language)
        label = label_of(loaded.content, loaded.triage, view)
        self._do(Add(label, looked, Source(stamp, held, Behind(imported=loaded.imported), whole=True)))
        return self.open.last - 1

    def together(self, key: int) -> tuple[Tab, ...]:
        """The tabs that go to another desk with this one: all of its source, if that has notes or a document.

        () for one that is not open.
        """
        tab = self.open.tab(key)
        if tab is None:
            return ()
        held, _, behind = self.values(tab)
        bound = bool(held.path or held.notes or held.later.notes or behind.kept or behind.source)
        return self.open.of_source(tab.source) if bound else (tab,)

    def hand_over(self, key: int) -> Join | None:
        """Give a tab away, with what goes `together`, for the tabs of another desk to `join`.

        None for one that is not open.
        """
        tab = self.open.tab(key)
        if tab is None:
            return None
        left = {one.key for one in self.together(key)}
        front = self.open.current
        if self.open.here is not None and self.open.here.source == tab.source:
            self._park()
        following = front if front not in left else self.open.neighbour(front, left)
        source = self.open.sources[tab.source]
        gone = tuple(one for one in self.open.tabs if one.key in left)
        self._switching = True
        try:
            for one in gone:
                self.open = after(self.open, Close(one.key, remember=False))
            if tab.source not in self.open.sources:
                self._store.hand_over(source.behind)
            if not following:
                self._session.close()
        finally:
            self._switching = False
        if self.open.here is None and following:
            self._resume(following)
        self._tell()
        return Join(gone, source)

    def join(self, came: Join) -> int:
        """Take tabs that another desk handed over; gives the key of the first, which is in front then."""
        if self.open.here is not None:
            self._park()
        held = came.source.held
        if held is not None:
            came = replace(
                came, source=replace(came.source, held=replace(held, edits=held.edits.on(self._session)))
            )
        self.open = after(self.open, came)
        self._resume(came.tabs[0].key)
        return came.tabs[0].key

    def show_view(self, view: str) -> None:
        """The page of the tab in front that is looked at; "" is its lanes."""
        here = self.open.here
        if here is not None and self._session.content is not None and not self._switching:
            self._do(Tell(self._label(view), self._is_whole()))

    def ask(self, key: int, question: Question | None) -> None:
        """Ask whether the sources of a tab are one cluster, or hold what was answered."""
        self._do(Ask(key, question))

    def key_of(self, stamp: str) -> int:
        """The first tab of a source that was read from this; 0 where there is none."""
        tabs = (tab.key for tab in self.open.tabs if stamp and self.open.sources[tab.source].stamp == stamp)
        return next(tabs, 0)

    def go_to_stamp(self, stamp: str) -> bool:
        """Bring a tab to the front whose source was read from this; False where there is none.

        The one that is in front does not count: who opens it again wants it read again. A closed one does,
        unless notes were given up with it, or others may have written it since: a document.
        """
        if not stamp:
            return False
        here = self.open.here
        for tab in self.open.tabs:
            source = self.open.sources[tab.source]
            if source.stamp == stamp and (here is None or tab.source != here.source):
                self.choose(tab.key)
                return True
        for place, shut in enumerate(self.open.closed):
            held = shut.source.held
            if shut.source.stamp == stamp and held is not None and not (held.path or held.notes):
                return self.reopen(place)
        return False

    def losing(self, key: int) -> int | None:
        """How many notes would be lost with a tab, 0 where it is ties alone; None where nothing is.

        Notes that another tab has, or a document of a name, are not lost.
        """
        tab = self.open.tab(key)
        if tab is None or len(self.open.of_source(tab.source)) > 1:
            return None
        held, looked = self._values(tab)
        if held.unwritten:
            return held.unwritten
        if held.path:
            return None
        others = {_known(note) for one in self._others(tab) for note in one.notes}
        lost = sum(_known(note) not in others for note in held.notes) + len(held.later.notes)
        ties = looked.content is not None and bool(looked.content.ties)
        return lost if lost or ties else None

    def let_go(self) -> None:
        """Let go of the documents of all tabs."""
        for source in self.open.sources.values():
            if source.held is not None:
                self._store.let_go(source.behind)

    def _others(self, tab: Tab) -> Iterator[Held]:
        seen = {tab.source}
        for other in self.open.tabs:
            if other.source not in seen:
                seen.add(other.source)
                yield self._values(other)[0]

    def _values(self, tab: Tab) -> tuple[Held, Looked]:
        """What a tab has, wherever that is now."""
        held = self.open.sources[tab.source].held
        if held is None or tab.looked is None:
            now = self._session.park()
            return held or now[0], tab.looked or now[1]
        return held, tab.looked

    def values(self, tab: Tab) -> tuple[Held, Looked, Behind]:
        """What a tab has, and what stands behind it."""
        source = self.open.sources[tab.source]
        behind = self._store.behind if source.held is None else source.behind
        return *self._values(tab), behind

    def bring(self, path: str) -> bool:
        """The tab behind that has this document comes to the front; whether there is such."""
        for tab in self.open.tabs:
            held = self.open.sources[tab.source].held
            if held is not None and is_same_path(path, held.path):
                self.choose(tab.key)
                return True
        return False

    def _make_room(self, beside: bool, stamp: str) -> None:
        """Before something is shown: in a tab of its own, or in the place of what is in front."""
        here = self.open.here
        if here is None or beside:
            if here is not None:
                self._park()
            self.open = after(self.open, Begin())
        elif self.open.shares(here):
            self._park()
            self.open = after(self.open, Part())
        self._do(Stamp(stamp))

    def _content_changed(self, content: Content | None) -> None:
        here = self.open.here
        if self._switching:
            return
        if content is None:
            if here is not None:
                self._do(Close(here.key, remember=False))
            return
        if here is None:
            self.open = after(self.open, Begin())
        self._do(Tell(self._label("" if here is None else here.label.view), self._is_whole()))

    def _park(self) -> None:
        self._store.settle()
        self._session.set_playing(False)
        held, looked = self._session.park()
        self.open = after(self.open, Park(held, looked, self._store.park()))

    def _resume(self, key: int) -> None:
        tab = self.open.tab(key)
        if tab is None or tab.looked is None:
            return
        source = self.open.sources[tab.source]
        self._switching = True
        try:
            self.open = after(self.open, Choose(key))
            self._store.resume(source.behind)
            if source.held is not None:
                self._session.resume(source.held, tab.looked)
        finally:
            self._switching = False
        if tab.looked.language != self._session.language:
            self._store.reword()
        self._do(Tell(self._label(tab.label.view), self._is_whole()))

    def _label(self, view: str) -> Label:
        content = self._session.content
        return Label(view=view) if content is None else label_of(content, self._session.triage, view)

    def _is_whole(self) -> bool:
        return len(self._session.traces) == 1 and not self._store.source

    def _do(self, *deeds: Deed) -> None:
        for deed in deeds:
            self.open = after(self.open, deed)
        self._tell()

    def _tell(self) -> None:
        """Tell what is open, where it is not what was told last: some deeds are told with a later one."""
        if self.open is not self._told:
            self._told = self.open
            self.changed.emit(self.open)


def label_of(content: Content, triage: Triage | None, view: str) -> Label:
    """What a tab says that shows a page about this, or its lanes."""
    if view in ("incident", "triage") and triage is not None:
        worst = min(triage.summaries, key=lambda one: one.rank, default=None)
        return Label(content.partition, content.title, (worst and worst.check) or "", view=view)
    found = [finding.check for run in content.runs for finding in run.verdict.findings]
    sign = min(found, key=lambda check: CHECK[check].rank, default="")
    if content.comparison is None:
        return Label(content.partition, content.title, sign, view=view)
    names = [str(run.history.trace.partitions[run.history.partition].tp) for run in content.runs]
    titles = _BETWEEN.join(run.title for run in content.runs)
    return Label(_BETWEEN.join(names), titles, sign, compared=True, view=view)


def _known(note: PinnedNote) -> tuple[object, ...]:
    """What makes two notes the same one, whatever they are kept under."""
    return note.created_ns, note.text, note.author, note.cursor, note.end
