"""Opens again what was remembered: each source once, then each tab where it stood."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from core.errors import TidegaugeError
from core.kafka.eras import era, with_switches
from core.sim.scenario import parse_scenario
from core.sweeping import found_documents
from gui.workspace.desk import Desk
from gui.workspace.imports import drop_imports
from gui.workspace.recall import Origins, Place, Remembered, there
from gui.workspace.requests import Side
from gui.workspace.simulating import Asked
from gui.workspace.stamps import stamp_of


class Restoring:
    """One restoration. It goes on by itself; what cannot be opened is left out."""

    def __init__(self, desk: Desk, what: Remembered, done: Callable[[int, int], object]) -> None:
        """Nothing is opened yet. `done` is told how many tabs are there again, and how many are not."""
        self._desk, self._what, self._done = desk, what, done
        self._found = {str(one.path) for one in found_documents()}
        self._keys: dict[int, int] = {}
        """The tab in which a source was opened."""
        self._used: set[int] = set()
        """Sources that have a tab of their own."""
        self._made: dict[int, int] = {}
        """The tab of each place that is there again."""
        self._steps = self._all_steps()
        self._waiting = False
        store, jobs = desk.store, desk.jobs
        self._heard = (
            (store.opened, self._came),
            (store.partition_shown, self._came),
            (jobs.failed, self._failed),
        )

    def windows(self) -> tuple[tuple[int, ...], ...]:
        """The tabs that were in windows of their own, by window: all are in one when it is done."""
        found: dict[int, list[int]] = {}
        for number, key in sorted(self._made.items()):
            if window := self._what.places[number].window:
                found.setdefault(window, []).append(key)
        return tuple(tuple(keys) for _, keys in sorted(found.items()))

    def begin(self) -> None:
        """Open the first."""
        for change, listener in self._heard:
            change.connect(listener)
        self._next()

    def _came(self, _what: object) -> None:
        if self._waiting:
            self._next()

    def _failed(self, failure: object) -> None:
        """The rest is opened all the same."""
        self._came(failure)

    def _next(self) -> None:
        self._waiting = False
        for waits in self._steps:
            if waits:
                self._waiting = True
                return
        for change, listener in self._heard:
            change.disconnect(listener)
        self._end()

    def _all_steps(self) -> Iterator[bool]:
        """What is to be done, step by step; True where an answer has to be waited for."""
        wanted = dict.fromkeys(source for place in self._what.places for source in place.sources)
        for source in wanted:
            origins = self._what.sources[source]
            before = self._desk.tabs.open.current
            if there(origins, self._found) and self._open(origins):
                yield True
                if self._desk.tabs.open.current != before:
                    self._keys[source] = self._desk.tabs.open.current
        for number, place in enumerate(self._what.places):
            yield from self._restore(number, place)

    def _open(self, origins: Origins) -> bool:
        """Begin to open a source; False where that cannot be."""
        try:
            return self._begun(origins)
        except TidegaugeError:
            return False

    def _begun(self, origins: Origins) -> bool:
        store = self._desk.store
        if origins.document:
            store.open_groups(((origins.document,),))
        elif origins.found in self._found:
            return store.open_found(Path(origins.found), origins.title)
        elif origins.script:
            eras = tuple(with_switches(era(name), _switches(text)) for name, text in origins.eras)
            script = parse_scenario(origins.script)
            store.replay(Asked(script, eras, origins.seed, language=self._desk.session.language))
        elif self._is_kept(origins):
            store.open_import(origins.imported, Path(origins.paths[0]).name, origins.stamp)
        else:
            store.open_groups((origins.paths,), options=origins.options)
        return True

    def _is_kept(self, origins: Origins) -> bool:
        """Whether the import of these logs is there, and they are what they were."""
        folder, document = self._what.imports, Path(origins.imported)
        inside = bool(folder and origins.imported) and Path(folder) in document.parents
        return inside and document.is_file() and stamp_of(origins.paths) == origins.stamp

    def _restore(self, number: int, place: Place) -> Iterator[bool]:
        tabs, session, store = self._desk.tabs, self._desk.session, self._desk.store
        keys = [self._keys.get(source, 0) for source in place.sources]
        if not all(keys):
            return
        before = tabs.open.current
        if len(keys) > 1:
            store.compare(tuple(self._sides(keys, place.partitions)))
            yield True
            if tabs.open.current == before:
                return
        else:
            tabs.choose(keys[0])
            source = place.sources[0]
            if source in self._used and not tabs.duplicate():
                return
            self._used.add(source)
            content = session.content
            if content is not None and content.partition != place.partitions[0]:
                store.show_partition(place.partitions[0])
                yield True
        session.set_position(place.position)
        tabs.show_view(place.view)
        self._made[number] = tabs.open.current

    def _sides(self, keys: Sequence[int], names: Sequence[str]) -> Iterator[Side]:
        tabs = self._desk.tabs
        for key, name in zip(keys, names, strict=True):
            tab = tabs.open.tab(key)
            if tab is not None:
                _, looked, behind = tabs.values(tab)
                yield Side(name, None, behind.source) if behind.source else Side(name, looked.traces[0])

    def _end(self) -> None:
        tabs = self._desk.tabs
        for source, key in self._keys.items():
            if source not in self._used:
                tabs.close(key)
        for at, number in enumerate(sorted(self._made)):
            tabs.move(self._made[number], at)
        front = self._made.get(self._what.current) or next(iter(self._made.values()), 0)
        tabs.choose(front)
        if self._what.imports:
            drop_imports(Path(self._what.imports))
        self._done(len(self._made), len(self._what.places) + self._what.lost - len(self._made))


def _switches(text: str) -> dict[str, str]:
    pairs = (one.partition("=") for one in text.split(",") if one)
    return {name: value for name, _, value in pairs}
