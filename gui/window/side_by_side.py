"""The tabs of the window: which is in front, what is put beside what, and whether two sources are one."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from core.compare.align import is_too_many, partitions_of_all
from core.shown import shown_in_line
from core.trace.trace import Origin, Trace
from gui.text.spoken import tr
from gui.window.asking import AskingBar
from gui.window.docks import Docks
from gui.window.halves import HalfAndHalf, HalvesRow
from gui.window.pages import Viewing, first_view
from gui.window.person import Person
from gui.window.tab_bar import TabRow
from gui.workspace.adding import READ_FROM
from gui.workspace.desk import Desk
from gui.workspace.loading import Loaded, logs_in
from gui.workspace.one_or_two import Answer, Question, question_of
from gui.workspace.recall import Remembered
from gui.workspace.requests import Side
from gui.workspace.restoring import Restoring
from gui.workspace.stamps import stamp_of
from gui.workspace.store import CONTENT
from gui.workspace.tabs import Open, Tab

_PAGES: Final = ("incident", "triage", "query", "report")
"""Pages about what is open: the tab remembers which is looked at."""
_ARCHIVE: Final = re.compile(r"\.(zip|tar|tgz|txz|tbz2?|tar\.(gz|xz|bz2|zst))$")


class SideBySide:
    """What a person does with tabs. What is open is in `gui/workspace/tabs.py`; here it is shown."""

    def __init__(
        self,
        desk: Desk,
        viewing: Viewing,
        docks: Docks,
        person: Person,
        parts: tuple[TabRow, AskingBar, HalvesRow],
    ) -> None:
        """`parts` show the tabs, the question about the one in front, and another one beside it."""
        self._desk, self._tabs, self._store = desk, desk.tabs, desk.store
        self._viewing, self._docks, self._person = viewing, docks, person
        self._row, self._asking, halves_row = parts
        self._halves = HalfAndHalf(desk, halves_row, self._row, viewing, person.say)
        self.may_close: Callable[[int], bool] = lambda _key: True
        """Asks about notes that would be lost with a tab."""
        self.elsewhere: Callable[[], Iterable[tuple[Desk, Tab]]] = lambda: ()
        """The tabs of all other windows, each with its desk."""
        self.show_elsewhere: Callable[[str], bool] = lambda _stamp: False
        """Brings the tab of another window to the front that was read from this; whether there is one."""
        self.send_apart: Callable[[Sequence[Sequence[int]]], object] = lambda _keys: None
        """Sends groups of tabs to windows of their own."""
        self._expected: tuple[str, ...] = ()
        """The paths of two sources that are on their way to be compared."""
        self._apart: tuple[str, ...] = ()
        """The paths of those of them that are to be open alone, too."""
        self._merging: tuple[int, Question] | None = None
        """The tab whose two sources are being read as one."""
        self._restoring: Restoring | None = None
        self._tabs.changed.connect(self._show_open)
        self._row.chosen.connect(self.choose)
        self._row.closed.connect(self.close)
        self._row.moved.connect(self._tabs.move)
        self._asking.answered.connect(self._answered)
        self._asking.dismissed.connect(self._dismiss)
        desk.jobs.failed.connect(self._not_opened)
        self._show_open(self._tabs.open)

    def handlers(self) -> dict[str, Callable[[], object]]:
        """The actions on tabs, by id."""
        return {
            "close": lambda: self.close(self._tabs.open.current),
            "next-tab": lambda: self.choose(self._tabs.open.stepped(1)),
            "previous-tab": lambda: self.choose(self._tabs.open.stepped(-1)),
            "reopen-tab": self.reopen,
            "own-tab": self.own_tab,
            "beside": self.choose_beside,
            **self._halves.handlers(),
        }

    def choose(self, key: int) -> None:
        """Bring a tab to the front, on the page that was looked at in it."""
        self._tabs.choose(key)
        if self._tabs.open.current == key:
            self.show_place()

    def close(self, key: int) -> None:
        """Close a tab, after asking about notes that would be lost."""
        if self.may_close(key):
            in_front = key == self._tabs.open.current
            self._tabs.close(key)
            if in_front:
                self.show_place()

    def reopen(self) -> None:
        """Open the tab that was closed last, as it was."""
        if self._tabs.reopen():
            self.show_place()
        else:
            self._person.say(tr("tabs.no-tab-was-closed"), 3000)

    def own_tab(self) -> None:
        """Open what is in front once more, to go on from there."""
        if not self._tabs.duplicate():
            self._person.say(tr("tabs.this-is-in-one-tab"), 4000)

    def view_changed(self, *_changed: object) -> None:
        """Another page is looked at: the tab remembers it."""
        view = self._viewing.name
        if self._viewing.lanes_shown() or view in _PAGES:
            self._tabs.show_view(view)

    def go_to(self, paths: Sequence[str]) -> bool:
        """Show the tab in which these are open, if there is one."""
        found = self._tabs.go_to_stamp(stamp_of(paths))
        if found:
            self.show_place()
        return found or self.show_elsewhere(stamp_of(paths))

    def open_two(self, paths: Sequence[str]) -> bool:
        """Compare two folders or archives of logs, and ask whether they are one; False for anything else.

        What is open already is not read again.
        """
        if len(paths) != 2 or len(logs_in(paths)) != 2 or not all(map(_holds_files, paths)):
            return False
        here = [self._tabs.key_of(stamp_of((path,))) for path in paths]
        self._expected = tuple(paths)
        self._store.wanted = tuple(paths)
        if all(here):
            self._apart = ()
            self._store.compare(self._worst_in_common(here))
        elif any(here):
            known, other = (0, 1) if here[0] else (1, 0)
            self.choose(here[known])
            self._apart = (paths[other],)
            self._store.open_groups(((paths[other],),), beside=True)
        else:
            self._apart = tuple(paths)
            self._store.open_groups(tuple((path,) for path in paths))
        return True

    def expect(self, paths: Sequence[str]) -> None:
        """These are about to be put beside what is in front."""
        traces = self._desk.session.traces
        first = _read_from(traces[0]) if len(traces) == 1 else ()
        logs = tuple(paths) == logs_in(paths)
        self._expected = (*first, *paths) if first and logs else ()
        self._apart = tuple(paths) if logs and len(paths) == 1 else ()

    def opened(self, _loaded: Loaded) -> None:
        """Something is shown: ask about two sources that were expected, and open each alone, too."""
        expected, apart, merging = self._expected, self._apart, self._merging
        self._forget()
        session, now = self._desk.session, self._tabs.open
        content = session.content
        if merging is not None:
            key, question = merging
            self._tabs.ask(now.current, replace(question, answer=Answer.ONE, asked_in=key))
            return
        if content is None or content.comparison is None or len(content.runs) != 2:
            return
        if expected:
            self._tabs.ask(now.current, question_of(content.runs[0], content.runs[1], expected))
        if apart:
            stamps = [stamp_of((path,)) for path in apart]
            self._store.take_apart(session.traces[-len(apart) :], lambda found: self._add(found, stamps))

    def restore(self, what: Remembered) -> None:
        """Open again what a killed window had open."""
        self._restoring = Restoring(self._desk, what, self._restored)
        self._restoring.begin()

    def _restored(self, there: int, gone: int) -> None:
        if self._restoring is not None:
            self.send_apart(self._restoring.windows())
        self._restoring = None
        self.show_place()
        if there or gone:
            title = tr("tabs.restored-1-tab") if there == 1 else tr("tabs.restored-tabs", count=there)
            self._person.tell(title, tr("tabs.could-not-be-restored", count=gone) if gone else "")

    def beside(self, name: str) -> None:
        """Put a partition of what is in front beside what its lanes show, in a tab of its own."""
        session = self._desk.session
        content = session.content
        if content is None or content.comparison is not None or content.partition == name:
            self.choose_beside()
            return
        trace, source = session.traces[0], self._store.source
        other = Side(name, None, source) if source else Side(name, trace)
        self._store.compare((Side(content.partition, trace), other))

    def choose_beside(self) -> None:
        """Ask which partition, of all that are open, is to stand beside what is in front."""
        content = self._desk.session.content
        if content is None:
            return
        here = tuple(
            Side(str(run.history.trace.partitions[run.history.partition].tp), run.history.trace)
            for run in content.runs
        )
        if is_too_many(len(here) + 1):
            self._person.say(tr("tabs.no-room-for-another-run"), 4000)
            return
        offered = self.offered(here)
        answer = self._person.choose(tr("tabs.beside-which-partition"), list(offered), 0) if offered else ""
        # The question waits for a person: something else may be in front by now.
        if answer and self._desk.session.content is content:
            self._store.compare((*here, offered[answer]))

    def offered(self, here: tuple[Side, ...]) -> dict[str, Side]:
        """The partitions of all tabs that are not compared ones, those of other sources first."""
        now = self._tabs.open
        mine = now.here.source if now.here is not None else 0
        every = (*((self._desk, tab) for tab in now.tabs), *self.elsewhere())
        sources = {tab.source: (desk, tab) for desk, tab in every if not tab.label.compared}
        found: dict[str, Side] = {}
        for source in sorted(sources, key=lambda one: one == mine):
            desk, tab = sources[source]
            _, looked, behind = desk.tabs.values(tab)
            for name in partitions_of_all(looked.traces):
                side = Side(name, None, behind.source) if behind.source else Side(name, looked.traces[0])
                shown = tr("tabs.partition-of-source", name=name, source=tab.label.of)
                if side not in here:
                    found.setdefault(shown_in_line(shown), side)
        return found

    def _worst_in_common(self, keys: Sequence[int]) -> tuple[Side, ...]:
        tabs = [tab for key in keys if (tab := self._tabs.open.tab(key)) is not None]
        traces = [self._tabs.values(tab)[1].traces[0] for tab in tabs]
        names = partitions_of_all(traces)
        label = tabs[0].label.what
        name = label if label in names else names[0] if names else ""
        return tuple(Side(name or str(trace.partitions[0].tp), trace) for trace in traces)

    def _add(self, found: Sequence[Loaded], stamps: Sequence[str]) -> None:
        for loaded, stamp in zip(found, stamps, strict=True):
            view = first_view(loaded)
            self._tabs.add(loaded, stamp, view if view in _PAGES else "")

    def _answered(self, answer: str) -> None:
        here = self._tabs.open.here
        if here is None or here.question is None:
            return
        question = here.question
        if question.asked_in and answer == Answer.NONE:
            self._two_again(here, question)
        elif answer == Answer.ONE:
            self._merging = (here.key, question)
            if self._tabs.go_to_stamp(stamp_of(question.paths)):
                self._merging = None
                self._tabs.ask(
                    self._tabs.open.current, replace(question, answer=Answer.ONE, asked_in=here.key)
                )
                self.show_place()
            else:
                self._store.open_groups((question.paths,))
        else:
            self._tabs.ask(here.key, replace(question, answer=Answer(answer)))

    def _two_again(self, merged: Tab, question: Question) -> None:
        """Back to the two that were read as one; both are there still."""
        if not self.may_close(merged.key):
            return
        self._tabs.close(merged.key)
        self._tabs.choose(question.asked_in)
        self.show_place()

    def _dismiss(self) -> None:
        self._tabs.ask(self._tabs.open.current, None)

    def _not_opened(self, _failure: object) -> None:
        """What could not be read is not among what was opened last, whatever is opened next."""
        self._forget()
        if CONTENT not in self._desk.jobs.asked():
            self._store.wanted = ()

    def _forget(self) -> None:
        self._expected, self._apart, self._merging = (), (), None

    def _show_open(self, now: Open) -> None:
        self._row.show_open(now)
        self._asking.ask(None if now.here is None else now.here.question)

    def show_place(self) -> None:
        """Show the page of the tab in front, with its docks."""
        here = self._tabs.open.here
        if here is not None:
            self._viewing.show(here.label.view or "timeline")
            self._docks.show()
            if not here.label.view:
                self._viewing.focus_lanes()


def _holds_files(path: str) -> bool:
    """Whether it is a folder or an archive: single files are parts of one incident."""
    return Path(path).is_dir() or _ARCHIVE.search(path.lower()) is not None


def _read_from(trace: Trace) -> tuple[str, ...]:
    """From where a trace was read, as far as all of it is still there; () for one that was not imported."""
    paths = tuple((trace.report.get(READ_FROM) or {}).get("paths", ()))
    imported = trace.origin == Origin.IMPORTED
    return paths if imported and paths and all(Path(path).exists() for path in paths) else ()
