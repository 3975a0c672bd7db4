"""Who turns values into sentences of one language: names, times, offsets."""

from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from core.diagnose.narrate.explain import brokers_text, capital, offsets_text
from core.diagnose.narrate.explain_zh import brokers_zh, offsets_zh
from core.diagnose.narrate.sayings import Saying
from core.diagnose.verdict.case import Case
from core.diagnose.verdict.facts import FinalReplica
from core.history.state import Band
from core.language import speaking
from core.message import Message
from core.trace.broker_names import broker_names
from core.trace.times import clock, virtual_time
from core.trace.trace import Origin
from core.words import text

Language: TypeAlias = Literal["en", "zh"]
_ROLES: Final = {
    "leader": "领导者",
    "follower": "跟随者",
    "offline": "离线",
    "unknown": "角色未知",
}
_FINAL: Final = Saying(
    "At the end {who} is {role}{epoch}: log end offset {leo}, high watermark {hw}.",
    "结束时 {who} 为{role}{epoch}：日志末端 {leo}，高水位 {hw}。",
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """One statement with the events that prove it, strongest first."""

    text: str
    evidence: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Teller:
    """A partition and a language."""

    case: Case
    lang: Language

    def words(self, saying: Saying) -> str:
        """A text without values."""
        return saying.en if self.lang == "en" else saying.zh

    def text(self, message: Message) -> str:
        """The text of a message."""
        with speaking(self.lang):
            return text(message)

    def say(self, saying: Saying, evidence: tuple[int, ...] = (), **values: Any) -> Sentence:  # noqa: ANN401 - values of a sentence
        """A sentence with its values filled in."""
        text = self.words(saying).format(**values)
        return Sentence(capital(text) if self.lang == "en" else text, evidence)

    def who(self, *brokers: int) -> str:
        """Brokers as a person calls them."""
        names = broker_names(self.case.history.trace)
        if not brokers:
            return "nobody" if self.lang == "en" else "无"
        return brokers_text(names, brokers) if self.lang == "en" else brokers_zh(names, brokers)

    def when(self, at: int) -> str:
        """A moment: time of day in UTC, or seconds since the start of a simulation."""
        return virtual_time(at) if self.simulated else clock(at)

    @property
    def simulated(self) -> bool:
        """Whether time is that of a simulation."""
        return self.case.history.trace.origin is Origin.SIMULATED

    def offsets(self, first: int, end: int) -> str:
        """Half-open offsets, the last one included."""
        return offsets_text(first, end) if self.lang == "en" else offsets_zh(first, end)

    def records(self, count: int) -> str:
        """1 record; 48 records."""
        if self.lang == "zh":
            return f"{count} 条记录"
        return "1 record" if count == 1 else f"{count} records"

    def band(self, band: Band) -> str:
        """A value, its bounds, or that it is not known."""
        if band.lo is None and band.hi is None:
            return "not known" if self.lang == "en" else "未知"
        return str(band)

    def isr(self, members: tuple[int, ...]) -> str:
        """An in-sync set as Kafka prints it."""
        names = broker_names(self.case.history.trace)
        return f"[{', '.join(names.get(one, str(one)).removeprefix('broker ') for one in members)}]"

    def final(self, one: FinalReplica) -> Sentence:
        """A replica at the end of the trace."""
        if self.lang == "en":
            article = {"leader": "the leader", "follower": "a follower", "unknown": "in no known role"}
            role = article.get(one.role, one.role)
            epoch = (
                ""
                if one.epoch is None or one.role not in ("leader", "follower")
                else f" in epoch {one.epoch}"
            )
        else:
            role = _ROLES.get(one.role, one.role)
            epoch = (
                "" if one.epoch is None or one.role not in ("leader", "follower") else f"（纪元 {one.epoch}）"
            )
        return self.say(
            _FINAL,
            who=self.who(one.broker),
            role=role,
            epoch=epoch,
            leo=self.band(one.leo),
            hw=self.band(one.hw),
        )
