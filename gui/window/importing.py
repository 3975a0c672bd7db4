"""The way from logs that a person named to an import: a look at them first, then what was chosen is read."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import TidegaugeError
from gui.text.spoken import tr
from gui.window.import_dialog import ImportDialog, title_of
from gui.workspace.adding import among_others, told_by
from gui.workspace.jobs import failure_of
from gui.workspace.loading import groups_of, logs_in
from importers.options import ImportOptions
from importers.preview import Preview

if TYPE_CHECKING:
    from gui.window.main_window import MainWindow


def open_or_look(window: "MainWindow", paths: Sequence[str], *, beside: bool) -> None:
    """Open what was named. Logs are looked at first, and a dialog shows what was found in them."""
    groups = groups_of(paths)
    logs = logs_in(paths)
    if not logs:
        window.asked_paths = tuple(paths)
        window.store.open_groups(groups, beside=beside)
        return

    def read(options: ImportOptions) -> None:
        window.asked_paths = tuple(paths)
        window.store.open_groups(groups, beside=beside, options=options)

    # All logs are one incident, a shipped sample among them too.
    incident = next(group for group in groups if logs[0] in group)
    window.store.look(
        incident,
        ImportOptions(),
        partial(_ask, window, ImportOptions(), title_of(logs), read),
    )


def add_logs(window: "MainWindow", paths: Sequence[str]) -> None:
    """Read what is open again, from where it was read and from `paths`, with one look at all of it."""
    if not paths or len(window.session.traces) != 1:
        return
    before = window.session.traces[0]
    try:
        old, options = told_by(before)
    except TidegaugeError as error:
        window.show_failure(failure_of(error))
        return
    new = tuple(path for path in paths if str(Path(path).resolve()) not in old)
    together = (*old, *new)
    options = among_others(options, old, new)

    def read(chosen: ImportOptions) -> None:
        window.store.add_logs(together, chosen)

    window.store.look(
        together, options, partial(_ask, window, options, tr("importing.add-logs-to", name=before.name), read)
    )


def _ask(
    window: "MainWindow",
    options: ImportOptions,
    title: str,
    read: Callable[[ImportOptions], None],
    found: Preview,
) -> None:
    if not found.worth_reading:
        # The import itself says best what is wrong with it.
        read(options)
        return
    dialog = ImportDialog(found, options, title, window)
    dialog.chosen.connect(read)
    dialog.open()
