"""From a cut to what the inspector shows of it: question, answer, rule, result, caches, other releases."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from core.compare.comparison import Run
from core.diagnose.verdict.facts import EraOutcome, LogThen, XRay
from core.history.state import Band
from core.message import Count
from core.picture.cuts import Cut, cuts_of
from core.picture.lane import number
from core.trace.broker_names import broker_name
from core.trace.trace import Trace
from core.trace.vocabulary import Basis
from gui.text.spoken import tr, worded


@dataclass(frozen=True, slots=True)
class Step:
    """A numbered row: what it is called, and what was asked, answered, decided or done."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Cache:
    """The leader epoch cache of one side right before the cut: (epoch, start, end) a row; `note` on it."""

    title: str
    rows: tuple[tuple[str, str, str], ...]
    note: str
    deciding: int | None
    """The row that the cut went by."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Neighbouring releases that would do the same: the log end offset that they leave, and why."""

    releases: str
    log_end: str
    loses: bool
    """Whether they, too, would cut records that this cut lost."""
    words: str


@dataclass(frozen=True, slots=True)
class XRayShown:
    """A cut, looked into. `badge` names the run of a comparison."""

    badge: str
    rule: str
    steps: tuple[Step, ...]
    caches: tuple[Cache, ...]
    outcomes: tuple[Outcome, ...]
    condition: str

    def lines(self) -> list[str]:
        """All of it as plain text, a line each."""
        found = ["", " · ".join(part for part in (self.badge, tr("x-ray.title"), self.rule) if part)]
        found += [f"{place}. {step.name}: {step.text}" for place, step in enumerate(self.steps, start=1)]
        for cache in self.caches:
            found += [cache.title, *("\t".join(row) for row in cache.rows)]
            found += [cache.note] if cache.note else []
        if self.outcomes:
            found += [self.condition]
            found += [f"{one.releases}: {one.log_end}. {one.words}" for one in self.outcomes]
        return found


def x_ray_of(run: Run, seq: int, badge: str = "") -> XRayShown | None:
    """What is shown of the cut at an event of a run; None where there was none."""
    ray = next((ray for ray in run.verdict.x_rays if ray.seq == seq), None)
    cut = next((cut for cut in cuts_of(run.verdict) if cut.truncation.seq == seq), None)
    if ray is None or cut is None:
        return None
    trace = run.history.trace
    name = broker_name(trace, ray.broker)
    sides = [ray.own] if ray.other is None else [ray.own, ray.other]
    return XRayShown(
        badge=badge,
        rule="" if ray.release is None else worded(ray.release),
        steps=(
            Step(tr("x-ray.question"), worded(ray.question)),
            Step(tr("x-ray.answer"), worded(ray.answer)),
            Step(tr("x-ray.rule"), worded(ray.branch)),
            Step(tr("x-ray.result"), _result(ray)),
        ),
        caches=tuple(_cache(trace, ray, side) for side in sides),
        outcomes=_outcomes(ray, cut),
        condition=tr("x-ray.under-other-releases", who=name),
    )


def _result(ray: XRay) -> str:
    """From where to where, and the high watermark before and after."""
    before, after = _offset(ray.hw_before), _offset(ray.hw_after)
    if ray.from_offset is None:
        return tr("x-ray.result.unknown-end", to=ray.to_offset, before=before, after=after)
    return tr(
        "x-ray.result.cut",
        end=ray.from_offset,
        to=ray.to_offset,
        count=Count(max(ray.from_offset - ray.to_offset, 0)),
        before=before,
        after=after,
    )


def _offset(band: Band) -> str:
    """An offset as far as it is known."""
    return str(band) if band.exact is None else number(band.exact)


def _cache(trace: Trace, ray: XRay, side: LogThen) -> Cache:
    """One side's cache; the last entry ends where the log does, and what is not known is said."""
    title = tr("x-ray.cache", who=broker_name(trace, side.broker))
    if side.entries is None:
        return Cache(title, (), tr("x-ray.cache.unknown"), None)
    ends = [*(number(start) for _, start in side.entries[1:]), _offset(side.leo)]
    rows = tuple(
        (str(epoch), number(start), end)
        for (epoch, start), end in zip(side.entries, ends, strict=len(side.entries) > 0)
    )
    note = tr("x-ray.cache.from-records") if side.entries_basis is Basis.DERIVED else ""
    if not rows:
        note = tr("x-ray.cache.empty")
    return Cache(title, rows, note, _deciding(ray, side))


def _deciding(ray: XRay, side: LogThen) -> int | None:
    """The entry that ends, on this side, where the log was cut to: of rules that go by epochs."""
    if ray.rule not in ("leader-epoch", "diverging-epoch") or side.entries is None:
        return None
    ends = [*(start for _, start in side.entries[1:]), side.leo.exact]
    return next((place for place, end in enumerate(ends) if end == ray.to_offset), None)


def _outcomes(ray: XRay, cut: Cut) -> tuple[Outcome, ...]:
    """What each release would have done, those that would do the same joined."""
    top = max((part.end_offset for part in cut.lost), default=None)
    found: list[Outcome] = []
    for _, group in groupby(ray.outcomes, key=lambda one: (one.message, one.leo_lo, one.leo_hi, one.exits)):
        same = list(group)
        first = same[0]
        loses = top is not None and first.leo_hi is not None and first.leo_hi < top and not first.exits
        found.append(Outcome(_releases(same), _log_end(first), loses, worded(first.message)))
    return tuple(found)


def _releases(same: Sequence[EraOutcome]) -> str:
    """The first release and the last one."""
    first, last = same[0].era, same[-1].era
    return first if first == last else tr("x-ray.releases", first=first, last=last)


def _log_end(one: EraOutcome) -> str:
    """The log end offset that a release leaves, as far as it is known."""
    if one.exits:
        return tr("x-ray.stops")
    return _offset(Band(one.leo_lo, one.leo_hi, Basis.DERIVED))
