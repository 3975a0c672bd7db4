"""What a step without a label is called."""

import json

import pytest

from core.sim.scenario import parse_scenario
from core.sim.step_words import label_of
from core.words import speaking

HEAD = """
schema = 1
id = "x"
title = "x"
story = "x"
cluster.brokers = ["A", "B", "C"]
[[consumer]]
name = "reader"
"""
QUORUM = '[quorum]\nvoters = ["K"]'
CALLED = [
    ('do = "produce"\ncount = 1\nacks = "1"', "produce", "写入"),
    ('do = "crash"\nbroker = "B"', "B crashes", "B 宕机"),
    ('do = "start"\nbroker = "B"', "B starts", "B 启动"),
    ('do = "stop"\nbroker = "B"', "B is stopped", "B 正常停止"),
    ('do = "elect"\nbroker = "B"', "B is elected", "选举 B"),
    ('do = "elect"', "the preferred is elected", "选举 首选副本"),
    ('do = "checkpoint"\nbrokers = ["A", "C"]', "A C checkpoints", "A C 写检查点"),
    ('do = "hold-controller"\nbrokers = ["A"]', "A hears late", "A 收不到通知"),
    ('do = "release-controller"\nbrokers = ["A"]', "A hears now", "A 收到通知"),
    ('do = "fetch-by-step"\nbrokers = ["A"]', "A stops fetching", "A 暂停拉取"),
    ('do = "fetch-freely"\nbrokers = ["A"]', "A fetches on", "A 恢复拉取"),
    ('do = "fetch"\nbrokers = ["B"]', "B fetches", "B 拉取"),
    ('do = "consume"\nconsumers = ["reader"]', "reader fetches", "reader 拉取"),
    ('do = "freeze"\nbrokers = ["A"]', "A is frozen", "A 冻结"),
    ('do = "thaw"\nbrokers = ["A"]', "A goes on", "A 恢复运行"),
    ('do = "disconnect"\nfrom = ["A"]\nto = ["B"]', "A-B cut", "A-B 断开"),
    ('do = "disconnect"\nfrom = ["A"]\nto = ["B", "C"]\nboth_ways = true', "A-all cut", "A-all 断开"),
    ('do = "heal"\nfrom = ["A", "B"]\nto = ["controller"]', "all-controller heal", "all-controller 恢复连接"),
    ('do = "slow"\nfrom = ["A"]\nto = ["clients"]\nlatency_us = 5', "A-clients is slow", "A-clients 变慢"),
    ('do = "reassign"\nbrokers = ["B", "C"]', "move to B C", "迁移到 B C"),
    ('do = "delete-records"', "delete records", "删除记录"),
    ('do = "retain"\nbrokers = ["A"]\noffset = 1', "A deletes old", "A 清理旧记录"),
    ('do = "move-log"\nbrokers = ["A"]', "A moves its log", "A 移动日志"),
    ('do = "copy-to-tier"\noffset = 1', "copy to the tier", "复制到远程层"),
    ('do = "clean-tier"', "clean the tier", "清理远程层"),
    (f'do = "add-voter"\ncontroller = "K"\n{QUORUM}', "K is to vote", "增加投票者 K"),
    (f'do = "remove-voter"\ncontroller = "K"\n{QUORUM}', "K is not to vote", "移除投票者 K"),
    (f'do = "snapshot"\ncontrollers = ["K"]\n{QUORUM}', "K: snapshot", "K 写快照"),
    (f'do = "clean-metadata"\ncontrollers = ["K"]\n{QUORUM}', "K: old log goes", "K 删除旧日志"),
    ('do = "workload"\nrecords_per_s = 1\nlasts_ms = 1\nacks = "1"', "traffic", "流量"),
    ('do = "faults"\nkinds = ["stop"]\nevery_ms = 1\ndown_ms = 1\nlasts_ms = 1', "faults", "故障"),
    ('do = "wait"\nfor_ms = 1', "wait", "等待"),
]


@pytest.mark.parametrize(("step", "english", "chinese"), CALLED)
def test_a_step_without_a_label_is_called_by_what_it_does(step: str, english: str, chinese: str) -> None:
    (found,) = parse_scenario(f"{HEAD}[[step]]\n{step}\n").steps
    with speaking("en"):
        assert label_of(found) == english
    with speaking("zh"):
        assert label_of(found) == chinese


def test_a_label_stands_and_a_round_is_told() -> None:
    inner = '[[step]]\ndo = "repeat"\ntimes = 2\n[[step.step]]\ndo = "wait"\nfor_ms = 1\n'
    for label, called in ((None, "wait"), ("hush", "hush")):
        line = "" if label is None else f"label = {json.dumps(label)}\n"
        steps = parse_scenario(f"{HEAD}{inner}{line}").steps
        assert [label_of(step) for step in steps] == [f"{called} #1", f"{called} #2"]
