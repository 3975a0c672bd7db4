"""A scenario as plain values, and its TOML text: what the random search makes, shortens and writes."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

Value: TypeAlias = str | int | bool | tuple[str | int, ...]
StepPlan: TypeAlias = Mapping[str, Value]
"""The keys of a step but for its label. `do` is one of them."""

_WORDS: Final[Mapping[str, tuple[str, str]]] = {
    "produce": ("produce", "写入"),
    "crash": ("{} crashes", "{} 宕机"),
    "start": ("{} starts", "{} 启动"),
    "stop": ("{} is stopped", "{} 正常停止"),
    "elect": ("{} is elected", "选举 {}"),
    "checkpoint": ("{} checkpoints", "{} 写检查点"),
    "hold-controller": ("{} hears late", "{} 收不到通知"),
    "release-controller": ("{} hears now", "{} 收到通知"),
    "fetch-by-step": ("{} stops fetching", "{} 暂停拉取"),
    "fetch-freely": ("{} fetches on", "{} 恢复拉取"),
    "freeze": ("{} is frozen", "{} 冻结"),
    "thaw": ("{} goes on", "{} 恢复运行"),
    "disconnect": ("{} cut", "{} 断开"),
    "heal": ("{} heal", "{} 恢复连接"),
    "slow": ("{} is slow", "{} 变慢"),
    "reassign": ("move to {}", "迁移到 {}"),
    "wait": ("wait", "等待"),
}
"""Labels in English and in Simplified Chinese; {} is the broker, or both ends of a way."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A scenario as the search makes it."""

    brokers: tuple[str, ...]
    settings: Mapping[str, Value]
    jitter_us: int
    steps: tuple[StepPlan, ...]
    cluster: Mapping[str, Value] = field(default_factory=dict[str, Value])
    """Keys of `[cluster]` beside the brokers."""


def as_toml(plan: Plan, scenario_id: str, comment: str = "", story: str = "Random.") -> str:
    """The text of a plan. Each line of `comment` stands above it."""
    lines = [f"# {line}".rstrip() for line in comment.splitlines()]
    lines += [
        "schema = 1",
        f"id = {_toml(scenario_id)}",
        f"title = {{ en = {_toml(scenario_id)}, zh = {_toml(scenario_id)} }}",
        f'story = {{ en = {_toml(story)}, zh = "随机搜索所得。" }}',
        "",
        "[cluster]",
        f"brokers = {_toml(plan.brokers)}",
        *(f"{key} = {_toml(value)}" for key, value in plan.cluster.items()),
    ]
    if plan.settings:
        lines += ["", "[settings]", *(f'"{name}" = {_toml(value)}' for name, value in plan.settings.items())]
    if plan.jitter_us:
        lines += ["", "[limits]", f"jitter_us = {plan.jitter_us}"]
    for step in plan.steps:
        lines += ["", *step_toml(step)]
    return "\n".join(lines) + "\n"


def step_toml(step: StepPlan) -> list[str]:
    """The lines of a step, with a label that says what it does."""
    english, chinese = _WORDS[str(step["do"])]
    who = _who(step)
    return [
        "[[step]]",
        f"label = {{ en = {_toml(english.format(who))}, zh = {_toml(chinese.format(who))} }}",
        *(f"{key} = {_toml(value)}" for key, value in step.items()),
    ]


def _who(step: StepPlan) -> str:
    if "from" in step:
        ends = (_one_or_all(step[key]) for key in ("from", "to"))
        return "-".join(ends)
    named = step.get("broker", step.get("brokers", ""))
    return " ".join(map(str, named)) if isinstance(named, tuple) else str(named)


def _one_or_all(ends: Value) -> str:
    return (str(ends[0]) if len(ends) == 1 else "all") if isinstance(ends, tuple) else str(ends)


def _toml(value: Value) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(_toml(one) for one in value)}]"
    # A TOML string, number or boolean of this kind is written as in JSON.
    return json.dumps(value, ensure_ascii=False)
