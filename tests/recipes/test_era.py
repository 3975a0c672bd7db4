"""The recipe for an era: a release to come, in which a smaller in-sync set costs an epoch again."""

import pytest

from tests.recipes.follow import Copy, follow

ERAS = "core/kafka/eras.py"
TITLE = '    Era("4.4", "4.4.0", _kafka("4.4"), _ON_FETCH, _K44),\n'


def add_the_era(copy: Copy) -> None:
    copy.insert(ERAS, '_K44: Final = replace(_K41, epoch_on_shrink="bumped")\n', before="\n_ASKS: Final")
    copy.insert(ERAS, TITLE, before=')\n"""Oldest first.')


@pytest.mark.long
@pytest.mark.slow
def test_an_era(copy: Copy) -> None:
    follow(
        copy,
        "Add an era",
        {
            1: add_the_era,
            2: lambda copy: copy.insert(
                "tests/core_kafka/test_era_table.py",
                '    "4.4": {"epoch-on-shrink"},\n',
                before='}\n"""The switches that each era changed',
            ),
            3: lambda copy: copy.insert(
                "core/kafka/metadata_versions.py", '    "4.4-IV0",\n', before=')\n"""From level 1 on.'
            ),
        },
        words={"id": "4.4"},
        left_out=3,
        reds={"test_the_page_is_what_the_tables_say", "test_every_line_is_understood"},
    )
