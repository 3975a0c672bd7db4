"""Whether a regular expression can take more than linear time, decided from the expression itself.

A backtracking matcher tries, at worst, every path of the expression's automaton over the text. The number of
paths over a text of n characters stays below a constant, whatever n is, unless one of two things holds
(Weber and Seidl, On the degree of ambiguity of finite automata, 1991): a loop can be gone through in two ways
by the same text (exponential), or a text goes round in loop p, leads from p to another loop q, and goes round
in q (polynomial). Both are searched for here. A search that may begin anywhere is a loop over any character
before the expression.

What is not modelled makes the answer stricter, never laxer: word boundaries, back references (any text), and
where a lookahead of several characters fails. An atomic group is left in one way, whatever loops are in it.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, reduce
from importlib import import_module
from itertools import product
from operator import and_, or_
from typing import Any, Final

_PARSER: Final[Any] = import_module("re._parser")
_UNROLLED: Final = 80
"""A repetition that is bounded higher than this counts as unbounded."""
_TEXTS: Final = [chr(code) for code in range(128)] + ["\u00e9", "\u0663", "\u2003", "\u202e"]
"""ASCII, and a letter, a digit, a blank and a sign of formatting beyond it."""
_BYTES: Final = [bytes([code]) for code in range(256)]
_START: Final = 1 << 300
"""In place of the character before the first one."""
_ALL: Final = (1 << 301) - 1

_Edge = tuple[int, int, int]
"""A position, which characters may stand before it, and which may come next."""


@dataclass(slots=True)
class _Part:
    """A part of an expression: where it can begin and end, and how it can be empty."""

    first: set[_Edge] = field(default_factory=set[_Edge])
    last: set[_Edge] = field(default_factory=set[_Edge])
    empty: set[tuple[int, int]] = field(default_factory=set[tuple[int, int]])


_EMPTY: Final = _Part(empty={(_ALL, _ALL)})


class _Automaton:
    """One position for each character of an expression; `follow` says which may come after which."""

    def __init__(self, pattern: str | bytes, flags: int) -> None:
        self._bytes = isinstance(pattern, bytes)
        self._newline = 1 << 10
        self.classes: list[int] = []
        self.follow: dict[int, dict[int, set[tuple[int, int]]]] = {}
        self.twice: set[tuple[int, int]] = set()
        self.closed: list[range] = []
        parsed = _PARSER.parse(pattern, flags)
        self._flags = int(parsed.state.flags)
        self.whole = self._sequence(parsed)

    def add(self, allowed: int) -> int:
        self.classes.append(allowed)
        self.follow[len(self.classes) - 1] = {}
        return len(self.classes) - 1

    def link(self, before: Iterable[_Edge], after: Iterable[_Edge], *, again: bool = False) -> None:
        """Edges from the ends of one part to the beginnings of the next."""
        for (one, left, ahead), (other, behind, right) in product(before, after):
            masks = left & behind, ahead & right
            if not masks[0] & self.classes[one] or not masks[1] & self.classes[other]:
                continue
            known = self.follow[one].setdefault(other, set())
            if again and known:
                self.twice.add((one, other))
            known.add(masks)

    def forbid_line_ends(self) -> None:
        """The text is a line without its end."""
        self.classes = [allowed & ~self._newline for allowed in self.classes]

    def _sequence(self, items: Iterable[Any]) -> _Part:
        whole = _EMPTY
        for name, argument in items:
            whole = self._joined(whole, self._item(str(name), argument))
        return whole

    def _joined(self, one: _Part, other: _Part) -> _Part:
        self.link(one.last, other.first)
        found = _Part(set(one.first), set(other.last))
        for before, ahead in one.empty:
            found.first |= {(at, left & before, right & ahead) for at, left, right in other.first}
            found.empty |= {(before & left, ahead & right) for left, right in other.empty}
        for before, ahead in other.empty:
            found.last |= {(at, left & before, right & ahead) for at, left, right in one.last}
        return found

    def _item(self, name: str, argument: Any) -> _Part:
        match name:
            case "LITERAL" | "NOT_LITERAL" | "ANY" | "IN":
                return self._one(self._class(name, argument))
            case "SUBPATTERN":
                return self._sequence(argument[3])
            case "ATOMIC_GROUP":
                return self._closed(argument)
            case "BRANCH":
                return _either([self._sequence(one) for one in argument[1]])
            case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
                return self._repeat(*argument, kept=name == "POSSESSIVE_REPEAT")
            case "AT":
                return self._at(str(argument))
            case "ASSERT" | "ASSERT_NOT":
                return self._look(*argument, wanted=name == "ASSERT")
            case "GROUPREF":
                return self._repeat(0, _UNROLLED + 1, [("ANY", None)], kept=False)
            case _:
                raise ValueError(f"{name} is not modelled")

    def _one(self, allowed: int) -> _Part:
        at = self.add(allowed)
        return _Part({(at, _ALL, _ALL)}, {(at, _ALL, _ALL)})

    def _class(self, name: str, argument: Any) -> int:
        return _signs_of(name, _Tree(argument), self._flags & (re.DOTALL | re.IGNORECASE), self._bytes)

    def _repeat(self, least: int, most: Any, body: Any, *, kept: bool) -> _Part:
        most = most if isinstance(most, int) and most <= _UNROLLED else None
        whole = _EMPTY
        for _ in range(min(least, _UNROLLED) - (most is None and least > 0)):
            whole = self._joined(whole, self._sequence(body))
        for _ in range(0 if most is None else most - least):
            one = self._sequence(body)
            whole = self._joined(whole, _Part(one.first, one.last, one.empty | _EMPTY.empty))
        if most is not None:
            return whole
        loop = self._closed(body) if kept else self._sequence(body)
        self.link(loop.last, loop.first, again=True)
        alone = [self.classes[at] for at, _, _ in loop.first]
        if kept and loop.first == loop.last and len(alone) == 1:
            ahead = _ALL & ~alone[0]
            loop.last = {(at, left, right & ahead) for at, left, right in loop.last}
            loop.empty = {(_ALL, ahead)} if least == 0 else set()
        elif least == 0:
            loop.empty = loop.empty | _EMPTY.empty
        return self._joined(whole, loop)

    def _closed(self, body: Any) -> _Part:
        """What is left in one way only, the first that fits: an atomic group."""
        first = len(self.classes)
        found = self._sequence(body)
        self.closed.append(range(first, len(self.classes)))
        return found

    def _at(self, place: str) -> _Part:
        if place in ("AT_BEGINNING", "AT_BEGINNING_STRING"):
            lines = place == "AT_BEGINNING" and self._flags & re.MULTILINE
            return _Part(empty={(_START | (self._newline if lines else 0), _ALL)})
        return _Part(empty={(_ALL, self._newline)}) if place == "AT_END" else _EMPTY

    def _look(self, direction: int, body: Any, *, wanted: bool) -> _Part:
        items = list(body)
        while len(items) == 1 and str(items[0][0]) == "SUBPATTERN":
            items = list(items[0][1][3])
        if len(items) == 1 and str(items[0][0]) in ("LITERAL", "NOT_LITERAL", "ANY", "IN"):
            found = self._class(str(items[0][0]), items[0][1])
            found = found if wanted else _ALL & ~found
            return _Part(empty={(found, _ALL) if direction < 0 else (_ALL, found)})
        if direction < 0:
            return _EMPTY
        inner = self._sequence(items)
        return _Part(inner.first, set(), {(_ALL, _ALL)})


class _Tree:
    """A part of the parser's tree, which may be a list, as something to remember results by."""

    def __init__(self, tree: Any) -> None:
        self.tree = tree
        self._text = str(tree)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Tree) and self._text == other._text

    def __hash__(self) -> int:
        return hash(self._text)


@lru_cache(maxsize=1 << 14)
def _signs_of(name: str, argument: _Tree, flags: int, in_bytes: bool) -> int:  # noqa: FBT001 - one of the keys
    """Which characters a part of an expression takes, as bits."""
    found = 0
    for bit, sign in enumerate(_BYTES if in_bytes else _TEXTS):
        found |= _fits(name, argument.tree, sign, flags) << bit
    return found


def _fits(name: str, argument: Any, sign: Any, flags: int) -> bool:
    if name == "ANY":
        return bool(flags & re.DOTALL) or ord(sign) != 10
    if name == "IN":
        negated = str(argument[0][0]) == "NEGATE"
        return negated != any(_fits(str(kind), one, sign, flags) for kind, one in argument[negated:])
    if name == "CATEGORY":
        letter = {"DIGIT": "d", "SPACE": "s", "WORD": "w"}[str(argument).rsplit("_", 1)[-1]]
        text = f"\\{letter.upper() if '_NOT_' in str(argument) else letter}"
        if isinstance(sign, str):
            return re.match(text, sign) is not None
        return re.match(text.encode(), sign) is not None
    low, high = argument if name == "RANGE" else (argument, argument)
    codes = {ord(one) for one in ((sign.lower(), sign.upper()) if flags & re.IGNORECASE else (sign,))}
    return (name == "NOT_LITERAL") != any(low <= code <= high for code in codes)


def _either(parts: Sequence[_Part]) -> _Part:
    whole = _Part()
    for part in parts:
        whole.first |= part.first
        whole.last |= part.last
        whole.empty |= part.empty
    return whole


def superlinear(pattern: str | bytes, flags: int = 0, *, use: str) -> str:
    """Why the expression may take more than linear time; "" where it cannot.

    `use` is "fullmatch" on a text without line ends, "match", or "search" for all that may begin at every
    character (`finditer`, `sub`, `split` too). Where the end of the expression is reached, the text has
    matched and nothing else is tried: for "fullmatch" that is so in a last loop over any character.
    """
    automaton = _Automaton(pattern, flags)
    ends = {at for at, _, ahead in automaton.whole.last if ahead == _ALL}
    if use == "fullmatch":
        automaton.forbid_line_ends()
        every = _every_sign(pattern) & ~(1 << 10)
        ends = {at for at in ends if automaton.classes[at] & every == every}
    if use == "search":
        any_one = automaton.add(_ALL & ~_START)
        automaton.link([(any_one, _ALL, _ALL)], [(any_one, _ALL, _ALL)])
        automaton.link([(any_one, _ALL, _ALL)], automaton.whole.first)
    return _Search(automaton, ends).found()


def _every_sign(pattern: str | bytes) -> int:
    return (1 << len(_BYTES if isinstance(pattern, bytes) else _TEXTS)) - 1


class _Search:
    """Looks for loops that one text can go through in several ways."""

    def __init__(self, automaton: _Automaton, ends: set[int]) -> None:
        self._classes = automaton.classes
        self._ends = ends
        self._closed = automaton.closed
        self._twice = automaton.twice
        self._steps = {
            one: [(other, *masks) for other, both in after.items() for masks in both]
            for one, after in automaton.follow.items()
        }
        self._atoms = _atoms(
            [*self._classes, *(mask for steps in self._steps.values() for _, *both in steps for mask in both)]
        )
        self._loops = self._components()

    def found(self) -> str:
        """What was found, in words."""
        for one, other in self._twice:
            if self._loops.get(one) is not None and self._loops.get(one) is self._loops.get(other):
                return f"a repetition in a repetition, over {self._shown(self._classes[other])}"
        for one in self._loops:
            if self._many_ways_round(one):
                return f"two ways round a loop, over {self._shown(self._classes[one])}"
        for one, other in product(self._loops, repeat=2):
            if one != other and other not in self._ends and self._leads(one, other):
                both = self._classes[one] & self._classes[other]
                return f"two loops that share {self._shown(both or self._classes[one])}"
        return ""

    def _components(self) -> dict[int, frozenset[int]]:
        """The loop of each position that lies in one."""
        found: dict[int, frozenset[int]] = {}
        back: dict[int, list[int]] = {at: [] for at in self._steps}
        for one, steps in self._steps.items():
            for other, _, _ in steps:
                back[other].append(one)
        for at in self._steps:
            if at not in found and any(one >= at for one in back[at]):
                loop = frozenset(self._reachable(at, _ALL) & _gone_through(at, back))
                if at in loop:
                    found |= dict.fromkeys(loop, loop)
        return found

    def _reachable(self, start: int, signs: int) -> set[int]:
        """Where a position leads with some characters."""
        found: set[int] = set()
        waiting = [start]
        while waiting:
            for other, _, ahead in self._steps[waiting.pop()]:
                if other not in found and self._classes[other] & ahead & signs:
                    found.add(other)
                    waiting.append(other)
        return found

    def _step(self, at: int, before: int, sign: int, inside: frozenset[int] | None) -> list[int]:
        """Where a position leads with a character, given the one that it has taken itself."""
        return [
            other
            for other, left, right in self._steps[at]
            if left & before and right & sign and self._classes[other] & sign
            and (inside is None or other in inside)
        ]  # fmt: skip

    def _walk(
        self, start: tuple[int, ...], limits: tuple[frozenset[int] | None, ...], goal: tuple[int, ...]
    ) -> bool:
        """Whether the positions of `start` reach those of `goal`, all with the same text."""
        signs = reduce(and_, (self._signs(limit) for limit in limits if limit is not None))
        atoms = [atom for atom in self._atoms if atom & signs]
        seen: set[tuple[tuple[int, ...], int]] = set()
        waiting = [(start, atom) for atom in atoms if all(self._classes[at] & atom for at in start)]
        while waiting:
            places, before = waiting.pop()
            for sign in atoms:
                moves = [
                    self._step(at, before, sign, limit) for at, limit in zip(places, limits, strict=True)
                ]
                for after in product(*moves):
                    if after == goal:
                        return True
                    if (after, sign) not in seen:
                        seen.add((after, sign))
                        waiting.append((after, sign))
        return False

    def _many_ways_round(self, one: int) -> bool:
        loop = self._loops[one]
        if len(loop) == 1:
            return False
        return any(
            self._walk((one, one), (loop, loop), (left, right))
            and self._walk((left, right), (loop, loop), (one, one))
            for left, right in product(loop, repeat=2)
            if left < right and self._classes[left] & self._classes[right]
        )

    def _left_once(self, one: int, other: int) -> bool:
        """Whether an atomic group holds one loop as a whole and not the other."""
        loop = self._loops[one]
        return any(other not in group and all(at in group for at in loop) for group in self._closed)

    def _leads(self, one: int, other: int) -> bool:
        if other in self._loops[one] or self._left_once(one, other):
            return False
        limits = (self._loops[one], None, self._loops[other])
        shared = self._signs(limits[0]) & self._signs(limits[2])
        if not shared & self._classes[one] & self._classes[other] or other not in self._reachable(
            one, shared
        ):
            return False
        return self._walk((one, one, other), limits, (one, other, other))

    def _signs(self, loop: Iterable[int]) -> int:
        """All characters that positions of a loop take."""
        return reduce(or_, (self._classes[at] for at in loop))

    def _shown(self, mask: int) -> str:
        signs = [chr(bit) for bit in range(32, 127) if mask >> bit & 1]
        return repr("".join(signs[:12])) + (" and others" if len(signs) > 12 else "")


def _gone_through(start: int, steps: Mapping[int, Sequence[int]]) -> set[int]:
    """All that can be reached."""
    found: set[int] = set()
    waiting = [start]
    while waiting:
        for other in steps[waiting.pop()]:
            if other not in found:
                found.add(other)
                waiting.append(other)
    return found


def _atoms(masks: Iterable[int]) -> list[int]:
    """The coarsest sets of characters that no mask cuts."""
    atoms = [_ALL & ~_START]
    for mask in set(masks):
        atoms = [part for atom in atoms for part in (atom & mask, atom & ~mask) if part]
    return atoms
