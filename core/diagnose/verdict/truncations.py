"""From cuts to truncations: those that removed records, each with its rule, what it removed, and evidence."""

from bisect import bisect_left, bisect_right
from itertools import pairwise
from typing import Final

from core.diagnose.verdict.case import Case
from core.diagnose.verdict.commitment import Marks, Watermark
from core.diagnose.verdict.facts import Truncation
from core.diagnose.verdict.taken import taken_below
from core.history.cuts import Cut
from core.history.epoch_runs import end_of, epoch_at, slice_runs
from core.history.positions import place_after, place_before
from core.history.state import Band, Role
from core.history.view import Row
from core.history.visible_bands import crossed, surely_at_most
from core.kafka.eras import era
from core.kafka.protocols import PROTOCOL, by_protocol
from core.trace.ids import Place
from core.trace.settings import of_broker, stated_at
from core.trace.vocabulary import Basis, CutReason

RULES: Final = {
    CutReason.LOCAL_HIGH_WATERMARK: "high-watermark",
    CutReason.LEADER_EPOCH: "leader-epoch",
    CutReason.DIVERGING_EPOCH: "diverging-epoch",
    CutReason.LEADER_END: "leader-end",
    CutReason.RESET: "reset",
    CutReason.RECOVERY: "recovery",
}

_ON_FETCH: Final = era("2.8")
"""The first era whose followers find the divergence on the fetch, unless an older protocol forbids it."""
_FROM_THE_END: Final = frozenset({"fetcher_added", "truncated", "fetch_failed"})
_OPENED: Final = frozenset({"log_loaded", "log_created"})


def rule_of(case: Case, broker: int, cut: Cut) -> str:
    """The rule by which a replica cut.

    Stated by the row itself or by the one before it; else by the release: to 0.10 its own high watermark,
    from 0.11 the leader's answer on the epoch (KIP-101), from 2.8 the divergence found on a fetch
    (KAFKA-10554). A cut below the first segment drops the whole log (Log.truncateTo): its reason stays.
    """
    if cut.row.kind == "log_reset" and cut.row.aux not in RULES:
        return "reset"
    decided = cut.decided
    for row in (cut.row, decided if decided is not None and decided.kind == "truncation_decided" else None):
        if row is not None and row.aux in RULES:
            rule = RULES[CutReason(row.aux)]
            return rule_in_release(case, broker, rule, row.seq)
    if cut.after_reset is not None:
        return "leader-end"
    if decided is not None and decided.kind in _BY_MESSAGE:
        return _BY_MESSAGE[decided.kind]
    return _by_release(case, broker, cut.row.seq)


def rule_in_release(case: Case, broker: int, rule: str, seq: int) -> str:
    """The rule that a line of a broker means in the release that it ran at a Seq.

    From 2.8 on a follower prints the same line as before ("due to leader epoch and offset"), but finds the
    divergence on the fetch. It asks for the end of an epoch only with an inter-broker protocol before 2.7
    (`isTruncationOnFetchSupported`, KAFKA-10554).
    """
    view = case.view
    if rule != "leader-epoch" or view.exact or not view.since(broker, 2, 8, at=seq):
        return rule
    at = int(view.trace.columns["at"][seq])
    stated = stated_at(view.trace, of_broker(broker, PROTOCOL), at)
    found = by_protocol(_ON_FETCH, "".join(stated))["truncation"]
    return "diverging-epoch" if found == _ON_FETCH.switches.truncation else rule


_BY_MESSAGE: Final = {"fetch_diverged": "diverging-epoch", "epoch_end_answered": "leader-epoch"}


def _by_release(case: Case, broker: int, seq: int) -> str:
    """The rule of the release at a Seq, where no row states one. A broker may use an older protocol."""
    if case.view.before(broker, 0, 11, at=seq):
        return "high-watermark"
    if case.view.before(broker, 2, 8, at=seq):
        return "leader-epoch"
    if case.view.releases(broker, seq):
        return "diverging-epoch"
    return "unknown"


def _row_of_log_end(case: Case, broker: int, cut: Row, end: int) -> int | None:
    """The row that last stated the log end from which the cut began."""
    about = case.view.rows.about(broker, case.view.partition)
    for number in reversed(about[: bisect_left(about, cut.number)]):
        row = case.view.rows[number]
        if row.leo == end or (row.kind in _FROM_THE_END and row.offset == end):
            return row.seq
    return None


def _start_of_cut(band: Band, cut: Cut) -> tuple[int | None, Basis]:
    """The highest log end before the cut that is proven, and whether it is the end itself."""
    if band.exact is not None and band.basis is not Basis.INFERRED:
        return band.exact, Basis.OBSERVED if band.basis <= Basis.REPORTED else Basis.DERIVED
    if band.lo is not None and band.lo > cut.to:
        return band.lo, Basis.BOUNDED
    return None, Basis.BOUNDED


def _disputed(case: Case, row: int) -> bool:
    """Whether what is known of some log, or of its high watermark, contradicts itself around a row.

    A lower bound may then be of another time, which missing lines let look like one of this; and what is
    known of one replica bounds what is known of the others.
    """
    return any(
        crossed(known(broker, place))
        for broker in case.history.replicas
        for known in (case.leo, case.hw)
        for place in (place_before(row), place_after(row))
    )


def below_watermark(
    case: Case, broker: int, place: Place, removed: tuple[int, int | None], marks: Marks
) -> bool | None:
    """Whether records that went had been committed: True or False where that is known.

    `removed` are the first and the end of the offsets that went. What had been taken before, by retention for
    one, does not count.
    """
    cut_to, cut_from = removed
    if case.view.exact:
        return _had_been_committed(case, broker, place, removed, marks)
    epoch = epoch_at(case.runs(broker, place), cut_to)
    kept = cut_to if epoch is None else max(cut_to, taken_below(case, epoch, place))
    if epoch is not None and (cut_from is None or kept < cut_from):
        later = [
            tenure.epoch
            for tenure in case.control.tenures
            if tenure.epoch is not None and tenure.epoch > epoch
        ]
        limit = min(later, default=None)
        back = _led_again(case, epoch, place)
        for mark in marks():
            before = limit is None or mark.epoch < limit
            if back is not None and mark.epoch == epoch and case.place_of(mark.seq) > back:
                # Since then the leader may have written other records of this epoch.
                continue
            if mark.value > kept and epoch <= mark.epoch and before:
                return True
    highest = (_highest_watermark(case, other, place) for other in case.history.replicas)
    if all(top is not None and top <= cut_to for top in highest):
        return False
    return None


def _led_again(case: Case, epoch: int, place: Place) -> Place | None:
    """The first place, up to another, at which the leader of an epoch led in it again; None for none."""
    number = case.control.tenure_number(epoch)
    if number is None:
        return None
    tenure = case.control.tenures[number]
    own, begun = case.roles.get(tenure.leader), case.led_from(tenure)
    if own is None or begun is None:
        return None
    led = (
        one.first
        for before, one in pairwise(own.spans)
        if (one.role, one.epoch) == (Role.LEADER, epoch) and before.role is not Role.LEADER
    )
    return next((first for first in led if begun < first <= place), None)


def _had_been_committed(
    case: Case, broker: int, place: Place, removed: tuple[int, int | None], marks: Marks
) -> bool:
    """The same in a simulation, run by run: some leader that held the records had a high watermark above."""
    cut_to, cut_from = removed
    runs = case.runs(broker, place)
    for run in slice_runs(runs, cut_to, end_of(runs) if cut_from is None else cut_from):
        kept = run.start if run.epoch is None else max(run.start, taken_below(case, run.epoch, place))
        if kept < run.end and any(_led_with(case, mark, kept, run.epoch, place) for mark in marks()):
            return True
    return False


def _led_with(case: Case, mark: Watermark, offset: int, epoch: int | None, place: Place) -> bool:
    """Whether a watermark was that of a leader, by a place, which held a record of this epoch below it."""
    then, number = case.place_of(mark.seq), case.control.tenure_number(mark.epoch)
    if mark.value <= offset or then > place or number is None:
        return False
    led = case.control.tenures[number].leader == mark.broker
    return led and epoch_at(case.runs(mark.broker, then), offset) == epoch


def _highest_watermark(case: Case, broker: int, place: int) -> int | None:
    """The highest that a replica's high watermark can have been up to a place; None for no bound."""
    steps = case.history.replicas[broker].hw
    return surely_at_most(steps.values[: bisect_right(steps.cursors, case.view.cursors[place])])


def truncations(case: Case, marks: Marks) -> tuple[Truncation, ...]:
    """Every cut that surely removed records, in the order of the trace."""
    found: list[Truncation] = []
    for broker, cuts in case.cuts.items():
        for cut in cuts:
            place = place_before(cut.row.number)
            start, basis = _start_of_cut(case.leo_before(broker, cut.row.number), cut)
            if basis is Basis.BOUNDED and _disputed(case, cut.row.number):
                start = None
            if start is None and not cut.certain:
                continue
            # A snapshot of the metadata holds all that came before it (KIP-630): where a log begins anew
            # behind its end, nothing is removed.
            anew = cut.row.kind == "log_reset"
            if start is None and anew and case.view.of_quorum:
                continue
            if start is not None and start <= cut.to and (not anew or case.view.of_quorum):
                continue
            if start is not None and anew and not case.view.exact and _is_empty(case, broker, place, start):
                continue
            rule = rule_of(case, broker, cut)
            removed = cut.to, start
            # A log that ends before its leader's begins: what goes, the leader had removed before.
            taken = anew and cut.row.from_offset is not None and cut.row.from_offset <= cut.to
            below = False if taken else below_watermark(case, broker, place, removed, marks)
            witness = None if start is None else _row_of_log_end(case, broker, cut.row, start)
            rows = (cut.row, cut.decided, cut.after_reset)
            seqs = [row.seq for row in rows if row is not None]
            found.append(
                Truncation(
                    seq=cut.row.seq,
                    broker=broker,
                    at=cut.row.at,
                    from_offset=start,
                    to_offset=cut.to,
                    rule=rule,
                    below_high_watermark=below,
                    basis=basis,
                    evidence=tuple(dict.fromkeys([*seqs, *([] if witness is None else [witness])])),
                ),
            )
        found.extend(_recoveries(case, broker, marks))
    return tuple(sorted(found, key=lambda cut: cut.seq))


def _is_empty(case: Case, broker: int, place: Place, end: int) -> bool:
    """Whether the log of a replica surely begins where it ends: nothing is removed where it begins anew."""
    start = case.history.replicas[broker].log_start.at(case.view.cursors[place]).lo
    return start is not None and start >= end


def _recoveries(case: Case, broker: int, marks: Marks) -> list[Truncation]:
    """Logs that came back shorter than they are known to have been.

    The end of the log never reached the disk, or the disk is a new one: then the log is created and not
    loaded.
    """
    found: list[Truncation] = []
    last_stated = -1
    for row in case.of(_OPENED):
        if row.replica != broker or not row.number:
            continue
        starts = [start for start in case.roles[broker].starts if start <= row.number]
        unstated = [start for start in starts if start > last_stated]
        if row.kind == "log_created" or (not row.leo and unstated):
            # No row states a log that is missing at a start, until its broker is notified of a role:
            # it is then created, and to 2.8 printed as loaded just before.
            starts = unstated[:1]
        started = max(starts, default=None)
        # The lines of one start in another order, or the next start's own line behind this one or missing.
        opened_since = started is not None and started <= last_stated
        last_stated = row.number
        end = 0 if row.kind == "log_created" else row.leo
        if end is None or (row.kind == "log_created" and started is None):
            continue
        cuts = [cut.row.number for cut in case.cuts[broker]]
        cut_stated = started is not None and any(started <= number < row.number for number in cuts)
        # What a row of the same start states as cut or as opened shorter is a cut of its own.
        begun = None if cut_stated or opened_since else started
        number = row.number if begun is None else begun - 1
        band = case.leo_before(broker, number)
        exact = band.exact is not None
        if band.lo is None or band.lo <= end or crossed(band) or (not exact and _disputed(case, number)):
            continue
        witness = _row_of_log_end(case, broker, row, band.lo)
        found.append(
            Truncation(
                seq=row.seq,
                broker=broker,
                at=row.at,
                from_offset=band.lo,
                to_offset=end,
                rule="recovery",
                below_high_watermark=below_watermark(
                    case, broker, place_before(row.number), (end, band.lo), marks
                ),
                basis=Basis.OBSERVED if exact else Basis.BOUNDED,
                evidence=(row.seq,) if witness is None else (row.seq, witness),
            ),
        )
    return found
