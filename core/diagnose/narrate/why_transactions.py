"""What transactions do in a log: where they begin and end, up to where readers see (KIP-98, KIP-890)."""

from core.diagnose.narrate.scene import Explanation, Scene
from core.diagnose.narrate.values import number
from core.message import Count, Message, Value, message


def _producer(scene: Scene) -> Value:
    """The producer by the name of the script, where it has one, else by its id."""
    place = scene.row.aux
    names = [name for name in scene.case.history.trace.facts.get("producers", "").split(",") if name]
    if place is not None and 0 < place <= len(names):
        return names[place - 1]
    return message("why.producer.id", id=number(place))


def _stable(scene: Scene) -> tuple[Message, ...]:
    """Up to where readers of committed transactions see on this replica, where it is known."""
    now = scene.now(scene.row.replica)
    stable = None if now is None else now.lso.exact
    return () if stable is None else (message("why.stable", who=scene.who, lso=stable),)


def written(scene: Scene) -> Explanation:
    """Records of a transaction are in a log."""
    row = scene.row
    what = scene.records(row.replica, row.from_offset, row.offset)
    return Explanation(
        message("why.transaction.written.title", what=what, producer=_producer(scene), who=scene.who),
        (
            message("why.transaction.written.on-disk") if row.disk else message("why.transaction.written"),
            *_stable(scene),
        ),
        message("why.rule.stable"),
        message("why.since.transactions"),
    )


def ended(scene: Scene) -> Explanation:
    """The marker of a transaction is in a log."""
    row, who = scene.row, scene.who
    aborted = row.kind == "transaction_aborted"
    title = "why.transaction.aborted.title" if aborted else "why.transaction.committed.title"
    return Explanation(
        message(title, who=who, producer=_producer(scene), offset=number(row.offset)),
        (
            message("why.transaction.aborted" if aborted else "why.transaction.committed"),
            *_stable(scene),
        ),
        message("why.rule.stable"),
        message("why.since.transactions"),
    )


def moved(scene: Scene) -> Explanation:
    """The last stable offset of a replica moves."""
    row, now = scene.row, scene.now(scene.row.replica)
    hw = None if now is None else now.hw.exact
    stable = row.offset
    title = message("why.stable.moved.title", who=scene.who, lso=number(stable))
    if hw is None or stable is None:
        return Explanation(title, (), message("why.rule.stable"), message("why.since.transactions"))
    hidden = hw - stable
    effect = message("why.stable.hidden", hw=hw, count=Count(hidden)) if hidden else message("why.stable.all")
    return Explanation(title, (effect,), message("why.rule.stable"), message("why.since.transactions"))


def refused(scene: Scene) -> Explanation:
    """A leader does not append a batch, as its transaction does not go on (3.6, KIP-890)."""
    return Explanation(
        message("why.transaction.refused.title", who=scene.who, producer=_producer(scene)),
        (message("why.transaction.refused"), message("why.transaction.refused.else")),
        message("why.rule.verified"),
        message("why.since.verified"),
    )


def fenced(scene: Scene) -> Explanation:
    """A leader does not append a batch, as its producer epoch is an old one."""
    return Explanation(
        message("why.producer.fenced.title", who=scene.who, producer=_producer(scene)),
        (message("why.producer.fenced", epoch=number(scene.row.epoch)),),
        message("why.rule.producer-epoch"),
        message("why.since.producer-epoch"),
    )


def timed_out(scene: Scene) -> Explanation:
    """The coordinator aborts a transaction by itself."""
    return Explanation(
        message("why.transaction.timed-out.title", producer=_producer(scene)),
        (message("why.transaction.timed-out"),),
        message("why.rule.timed-out"),
        message("why.since.transactions"),
    )
