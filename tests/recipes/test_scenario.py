"""The recipe for a scenario: a partition with one replica."""

import pytest

from tests.recipes.follow import Copy, follow

SCRIPT = '''\
# One replica: what is written is committed.
schema = 1
id = "leader-alone"

[title]
en = "A leader without followers"
zh = "没有 Follower 的 Leader"

[story]
en = """
A is the only replica, and so the only member of the in-sync set. The record m0 is committed as soon as A has
written it: no fetch has to come.
"""
zh = """
A 是唯一的副本，也是同步集合中唯一的成员。A 写入 m0 后它立即被提交：不需要等待任何拉取。
"""

[cluster]
brokers = ["A"]
fetching = "by-step"

[[step]]
label = { en = "produce m0", zh = "写入 m0" }
effect = { en = "committed at once", zh = "立即提交" }
do = "produce"
records = ["m0"]
acks = "all"
'''
TEST = """

@pytest.mark.parametrize("rules", ERAS, ids=lambda rules: rules.id)
def test_the_only_replica_commits_at_once(rules: Any, replay: Replay) -> None:
    trace = simulated("leader-alone", rules)
    assert [leader(trace, replay, step) for step in (0, 1)] == [(0, 0), (1, 1)]
"""


@pytest.mark.slow
def test_a_scenario(copy: Copy) -> None:
    follow(
        copy,
        "Add a scenario",
        {
            1: lambda copy: copy.put("core/lessons/scenarios/leader-alone.toml", SCRIPT),
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
