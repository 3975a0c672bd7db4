"""The recipe for a scenario: a partition with one replica."""

import pytest

from tests.recipes.follow import Copy, follow

SCRIPT = '''\
# One replica: what is written is committed.
schema = 1
id = "leader-alone"
title = "A leader without followers"
story = """
A is the only replica, and so the only member of the in-sync set. The record m0 is committed as soon as A has
written it: no fetch has to come.
"""

[cluster]
brokers = ["A"]
fetching = "by-step"

[[step]]
label = "produce m0"
effect = "committed at once"
do = "produce"
records = ["m0"]
acks = "all"
'''
CHINESE = '''\
title = "没有 Follower 的 Leader"
story = """
A 是唯一的副本，也是同步集合中唯一的成员。A 写入 m0 后它立即被提交：不需要等待任何拉取。
"""

[steps]
"produce m0" = "写入 m0"
"committed at once" = "立即提交"
'''
TEST = """

@pytest.mark.parametrize("rules", ERAS, ids=lambda rules: rules.id)
def test_the_only_replica_commits_at_once(rules: Any, replay: Replay) -> None:
    trace = simulated("leader-alone", rules)
    assert [leader(trace, replay, step) for step in (0, 1)] == [(0, 0), (1, 1)]
"""


def write_it(copy: Copy) -> None:
    copy.put("core/lessons/scenarios/leader-alone.toml", SCRIPT)
    copy.put("core/lessons/zh/scenarios/leader-alone.toml", CHINESE)


@pytest.mark.long
@pytest.mark.slow
def test_a_scenario(copy: Copy) -> None:
    follow(
        copy,
        "Add a scenario",
        {
            1: write_it,
            2: lambda copy: copy.insert(
                "core/lessons/README.md",
                "| `leader-alone` | the only replica commits what it writes |\n",
                before="| `elections` |",
            ),
            3: lambda copy: copy.append("tests/core_sim/test_sc_visibility.py", TEST),
        },
        words={"id": "leader-alone", "subject": "visibility"},
        left_out=2,
        reds={"test_the_readme_of_the_lessons_lists_every_scenario_once", "test_a_run_reads_as_it_was_read"},
    )
