"""A copy of the project for each recipe."""

from pathlib import Path

import pytest

from tests.recipes.follow import Copy


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    """The files of the project as they are now, changes that are not committed with them."""
    return Copy(tmp_path / "copy")
