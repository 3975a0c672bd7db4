"""`--jobs`: as many processes as are asked for, and the same answer."""

from pathlib import Path

import pytest

from db.document import open_document
from importers.samples import sample_path
from tests.cli.conftest import Tell


@pytest.mark.slow
def test_two_processes_say_what_one_says(tell: Tell, kept: Path) -> None:
    one, two = (tell("check", kept / "loss.tide", "--json", "--jobs", jobs) for jobs in (1, 2))

    assert (one.code, one.out) == (two.code, two.out)
    assert one.json["findings"]


@pytest.mark.slow
def test_an_import_by_two_processes_stores_what_one_stores(tell: Tell, kept: Path, tmp_path: Path) -> None:
    logs = sample_path("k0102-hw-loss")
    assert tell("import", logs, "-o", tmp_path / "two.tide", "--jobs", 2).code == 0

    with open_document(kept / "loss.tide") as one, open_document(tmp_path / "two.tide") as two:
        assert one.triage() == two.triage()
        assert one.infos()[0].digest == two.infos()[0].digest


def test_no_process_at_all_is_refused(tell: Tell, kept: Path) -> None:
    refused = tell("check", kept / "loss.tide", "--jobs", 0)

    assert refused.code == 2
    assert "--jobs" in refused.err
