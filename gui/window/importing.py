"""The way from logs that a person named to an import: a look at them first, then what was chosen is read."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QWidget

from core.errors import TidegaugeError
from gui.text.spoken import tr
from gui.window.import_dialog import ImportDialog, title_of
from gui.workspace.adding import among_others, told_by
from gui.workspace.jobs import Failure, failure_of
from gui.workspace.loading import groups_of, logs_in
from gui.workspace.session import Session
from gui.workspace.store import Store
from importers.options import ImportOptions
from importers.preview import Preview


class Importing:
    """Looks at logs, asks how they are to be read, and has the store read them."""

    def __init__(
        self, session: Session, store: Store, fail: Callable[[Failure], object], over: QWidget
    ) -> None:
        """The dialog stands over a widget; `fail` says why something could not be done."""
        self._session, self._store, self._fail, self._over = session, store, fail, over

    def open_or_look(self, paths: Sequence[str], *, beside: bool) -> None:
        """Open what was named. Logs are looked at first, and a dialog shows what was found in them."""
        groups = groups_of(paths)
        logs = logs_in(paths)
        if not logs:
            self._store.wanted = tuple(paths)
            self._store.open_groups(groups, beside=beside)
            return

        def read(options: ImportOptions) -> None:
            self._store.wanted = tuple(paths)
            self._store.open_groups(groups, beside=beside, options=options)

        # All logs are one incident, a shipped sample among them too.
        incident = next(group for group in groups if logs[0] in group)
        ask = partial(self._ask, ImportOptions(), title_of(logs), read)
        self._store.look(incident, ImportOptions(), ask)

    def add_logs(self, paths: Sequence[str]) -> None:
        """Read what is open again, from where it was read and from `paths`, with one look at all of it."""
        if not paths or len(self._session.traces) != 1:
            return
        before = self._session.traces[0]
        try:
            old, options = told_by(before)
        except TidegaugeError as error:
            self._fail(failure_of(error))
            return
        new = tuple(path for path in paths if str(Path(path).resolve()) not in old)
        together = (*old, *new)
        options = among_others(options, old, new)

        def read(chosen: ImportOptions) -> None:
            self._store.add_logs(together, chosen)

        ask = partial(self._ask, options, tr("importing.add-logs-to", name=before.name), read)
        self._store.look(together, options, ask)

    def _ask(
        self, options: ImportOptions, title: str, read: Callable[[ImportOptions], None], found: Preview
    ) -> None:
        if not found.worth_reading:
            # The import itself says best what is wrong with it.
            read(options)
            return
        dialog = ImportDialog(found, options, title, self._over)
        dialog.chosen.connect(read)
        dialog.open()
