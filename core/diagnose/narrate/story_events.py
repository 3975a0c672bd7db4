"""What happened, by time: who led, who stopped, who was in sync, who cut; and what was committed."""

from collections.abc import Iterable
from typing import Any, Final

from core.assumptions import END_TOLD_AS_A_MOMENT_WITHIN
from core.diagnose.narrate.sayings import Saying
from core.diagnose.narrate.story_teller import Sentence, Teller
from core.diagnose.narrate.story_words import ELECTIONS
from core.diagnose.verdict.commitment import Watermark, acknowledged, watermarks
from core.diagnose.verdict.facts import Leadership, Loss, PartitionVerdict
from core.trace.vocabulary import Basis

_MANY: Final = 24
"""More changes of the in-sync set than that are counted, not listed."""
_LED: Final = Saying(
    "{at}: {who} led from here in epoch {epoch}{start}, {how}{isr}{guess}.",
    "{at}：{who} 自此领导纪元 {epoch}{start}，{how}{isr}{guess}。",
)
_STAYED: Final = Saying(
    "{at}: the leader epoch rose to {epoch}, and {who} stayed the leader{start}{isr}.",
    "{at}：领导者纪元升到 {epoch}，{who} 仍为领导者{start}{isr}。",
)
_NOBODY: Final = Saying(
    "{at}: the partition had no leader in epoch {epoch}{till}.",
    "{at}：分区在纪元 {epoch} 没有领导者{till}。",
)
_ISR: Final = Saying(
    "{at}: the in-sync set became {isr}{change}.",
    "{at}：同步集合变为 {isr}{change}。",
)
_MANY_ISR: Final = Saying(
    "{at}: the in-sync set began to change; it changed {times} times until {till}.",
    "{at}：同步集合开始变化；到 {till} 为止变化 {times} 次。",
)
_STOPPED: Final = Saying("{at}: {who} was stopped cleanly.", "{at}：{who} 被干净停止。")
_STARTED: Final = Saying("{at}: {who} started again.", "{at}：{who} 重新启动。")
_ENDED: Final = Saying(
    "{at}: {who} ended without a clean stop.",
    "{at}：{who} 未干净停止就结束了。",
)
_SILENT: Final = Saying(
    "{at}: {who} was heard for the last time before it ended without a clean stop, at some moment "
    "until {till}.",
    "{at}：这是 {who} 未干净停止就结束之前最后一次有其消息，结束时刻不晚于 {till}。",
)
_CUT: Final = Saying(
    "{at}: {who} cut its log{start} to {to}{count}.",
    "{at}：{who} 将日志{start}截断到 {to}{count}。",
)
_COMMITTED: Final = Saying(
    "In epoch {epoch} the records below offset {hw} had been committed: {who} had that high "
    "watermark. It is the highest "
    "that the evidence shows; it may have been higher.",
    "在纪元 {epoch} 中，偏移量 {hw} 以下的记录已提交：{who} 曾有此高水位。这是证据所示的最高值，"
    "实际可能更高。",
)
_COMMITTED_BY_RULE: Final = Saying(
    "In epoch {epoch} the records below offset {hw} had been committed: {who} had that high watermark. No "
    "line states it: so far its log reached, and alone in the in-sync set a leader commits what it holds.",
    "在纪元 {epoch} 中，偏移量 {hw} 以下的记录已提交：{who} 曾有此高水位。没有任何行说明这一点："
    "它的日志当时到此为止，而同步集合中唯一的领导者会提交它所持有的记录。",
)
_COMMITTED_EXACT: Final = Saying(
    "In epoch {epoch} the records below offset {hw} had been committed: {who} had that high watermark.",
    "在纪元 {epoch} 中，偏移量 {hw} 以下的记录已提交：{who} 曾有此高水位。",
)
_TOLD: Final = Saying(
    "In epoch {epoch} a producer was told that {what} {was} written.",
    "在纪元 {epoch} 中，生产者收到{what} 已写入的应答。",
)


def events(teller: Teller, verdict: PartitionVerdict, window: tuple[int, int] | None) -> list[Sentence]:
    """One sentence an event, by time; with a window (first, last in ns) only those within it."""
    found = [
        *_terms(teller, verdict),
        *_changes(teller, verdict),
        *_lives(teller, verdict),
        *_cuts(teller, verdict),
    ]
    ordered = sorted(found, key=lambda one: one[:2])
    return [sentence for at, _, sentence in ordered if window is None or window[0] <= at <= window[1]]


Dated = tuple[int, int, Sentence]
"""Time, Seq, sentence."""


def _terms(teller: Teller, verdict: PartitionVerdict) -> Iterable[Dated]:
    led: int | None = None
    for term in verdict.leadership:
        seq = term.evidence[0] if term.evidence else 0
        if term.leader == -1:
            till = ""
            if term.end is not None:
                till = (
                    f", until {teller.when(term.end)}"
                    if teller.lang == "en"
                    else f"，到 {teller.when(term.end)} 为止"
                )
            sentence = teller.say(
                _NOBODY, term.evidence, at=teller.when(term.start), epoch=_epoch(teller, term), till=till
            )
        else:
            saying = _STAYED if led == term.leader and term.epoch is not None else _LED
            sentence = teller.say(saying, term.evidence, **_led(teller, verdict, term))
        led = term.leader
        yield term.start, seq, sentence


def _led(teller: Teller, verdict: PartitionVerdict, term: Leadership) -> dict[str, Any]:
    english = teller.lang == "en"
    with_it = next((span.isr for span in verdict.isr if set(span.evidence) & set(term.evidence)), None)
    isr = "" if with_it is None else teller.isr(with_it)
    guess = ""
    if term.basis >= Basis.INFERRED and term.election not in ("unknown", "first"):
        guess = (
            "; no line says so, it follows from the in-sync set"
            if english
            else "；没有任何行说明，由同步集合推知"
        )
    start = ""
    if term.start_offset is not None:
        start = f" with log end offset {term.start_offset}" if english else f"，日志末端 {term.start_offset}"
    return {
        "at": teller.when(term.start),
        "who": teller.who(term.leader),
        "epoch": _epoch(teller, term),
        "start": start,
        "how": teller.words(ELECTIONS[term.election]),
        "isr": "" if not isr else f", in-sync set {isr}" if english else f"，同步集合 {isr}",
        "guess": guess,
    }


def _epoch(teller: Teller, term: Leadership) -> str:
    return str(term.epoch) if term.epoch is not None else "?" if teller.lang == "zh" else "(number not known)"


def _changes(teller: Teller, verdict: PartitionVerdict) -> list[Dated]:
    """Changes of the in-sync set that no term brought with it."""
    of_terms = {seq for term in verdict.leadership for seq in term.evidence}
    found: list[Dated] = []
    before: tuple[int, ...] = ()
    for span in verdict.isr:
        left, came = set(before) - set(span.isr), set(span.isr) - set(before)
        if before and span.evidence and not set(span.evidence) & of_terms:
            parts: list[str] = []
            if left:
                parts.append(f"{teller.who(*sorted(left))} {'left' if teller.lang == 'en' else '离开'}")
            if came:
                parts.append(f"{teller.who(*sorted(came))} {'joined' if teller.lang == 'en' else '加入'}")
            change = f": {', '.join(parts)}" if teller.lang == "en" else f"：{'，'.join(parts)}"
            sentence = teller.say(
                _ISR,
                span.evidence,
                at=teller.when(span.start),
                isr=teller.isr(span.isr),
                change=change if parts else "",
            )
            found.append((span.start, span.evidence[0], sentence))
        before = span.isr
    if len(found) > _MANY:
        at, seq, first = found[0]
        times = teller.say(
            _MANY_ISR, first.evidence, at=teller.when(at), times=len(found), till=teller.when(found[-1][0])
        )
        return [(at, seq, times)]
    return found


def _lives(teller: Teller, verdict: PartitionVerdict) -> Iterable[Dated]:
    rows = teller.case.view.rows
    ends = {one.seq: one for one in verdict.findings if one.check == "unclean-stop"}
    for one in ends.values():
        exact = one.end is None or one.end - one.start < END_TOLD_AS_A_MOMENT_WITHIN.ns
        till = "" if one.end is None else teller.when(one.end)
        saying = _ENDED if exact else _SILENT
        who = teller.who(*one.brokers)
        yield (
            one.start,
            one.seq,
            teller.say(saying, one.evidence, at=teller.when(one.start), who=who, till=till),
        )
    for broker, own in teller.case.roles.items():
        for death in own.deaths:
            row = rows[min(death.noticed, teller.case.end) - 1]
            if death.clean:
                yield (
                    row.at,
                    row.seq,
                    teller.say(_STOPPED, (row.seq,), at=teller.when(row.at), who=teller.who(broker)),
                )
        for start in own.starts:
            row = rows[start - 1]
            if any(death.last < start for death in own.deaths):
                yield (
                    row.at,
                    row.seq,
                    teller.say(_STARTED, (row.seq,), at=teller.when(row.at), who=teller.who(broker)),
                )


def _cuts(teller: Teller, verdict: PartitionVerdict) -> Iterable[Dated]:
    english = teller.lang == "en"
    for cut in verdict.truncations:
        start = count = ""
        if cut.from_offset is not None and cut.records is not None:
            least = cut.basis is Basis.BOUNDED
            start = f" from {cut.from_offset}" if english else f"从 {cut.from_offset} "
            if least:
                start = f" from {cut.from_offset} or more" if english else f"从不小于 {cut.from_offset} 处"
            removed = teller.records(max(cut.records, 0))
            count = f": at least {removed} removed" if least else f": {removed} removed"
            if not english:
                count = f"：删除至少 {removed}" if least else f"：删除 {removed}"
        yield (
            cut.at,
            cut.seq,
            teller.say(
                _CUT,
                cut.evidence,
                at=teller.when(cut.at),
                who=teller.who(cut.broker),
                start=start,
                to=cut.to_offset,
                count=count if cut.records else "",
            ),
        )


def _alone(teller: Teller, mark: Watermark) -> bool:
    """Whether the in-sync set of the epoch came to be the leader alone."""
    control = teller.case.control
    sets = (isr for isr, epoch in zip(control.isr_at, control.epoch_at, strict=True) if epoch == mark.epoch)
    return (mark.broker,) in sets


def committed(teller: Teller, losses: tuple[Loss, ...] | None) -> Iterable[Sentence]:
    """Per epoch the highest watermark that is known, and what producers were told where that is known."""
    wanted = None if losses is None else {loss.epoch for loss in losses}
    best: dict[int, Watermark] = {}
    known: set[tuple[int, int]] = set()
    for mark in sorted(watermarks(teller.case), key=lambda one: one.epoch):
        # A value that a broker brings along from an earlier epoch was not reached in this one.
        brought = (mark.broker, mark.value) in known
        known.add((mark.broker, mark.value))
        if brought:
            continue
        if mark.epoch not in best or best[mark.epoch].value < mark.value:
            best[mark.epoch] = mark
    for epoch in sorted(best):
        mark = best[epoch]
        if wanted is None or epoch in wanted:
            saying = _COMMITTED_EXACT if teller.case.view.exact else _COMMITTED
            if mark.derived and _alone(teller, mark):
                saying = _COMMITTED_BY_RULE
            yield teller.say(saying, (mark.seq,), epoch=epoch, hw=mark.value, who=teller.who(mark.broker))
    for ack in acknowledged(teller.case):
        if wanted is None or ack.epoch in wanted:
            one = ack.end - ack.first == 1
            what = teller.offsets(ack.first, ack.end)
            yield teller.say(_TOLD, (ack.seq,), epoch=ack.epoch, what=what, was="was" if one else "were")
