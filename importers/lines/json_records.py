"""A record as one JSON object: the keys that layouts use for time, message, logger and stack trace."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from core.trace.units import SECOND_NS
from importers.lines.stamps import EPOCH_TIME, ZONED, nanos

MESSAGE_KEYS: Final = ("message", "msg", "MESSAGE", "rendered_message", "short_message", "log")
LOGGER_KEYS: Final = (
    "loggerName",
    "logger",
    "log.logger",
    "logger_name",
    "_logger",
    "_logger_name",
    "loggerFqcn",
)
TIME_KEYS: Final = (
    "instant", "timeMillis", "@timestamp", "timestamp", "time", "ts", "date", "asctime",
    "__REALTIME_TIMESTAMP",
)  # fmt: skip
TRACE_KEYS: Final = ("exception", "thrown", "stack_trace", "error.stack_trace", "throwable", "stacktrace")


def json_message(value: Mapping[str, Any]) -> bytes:
    """The message, all its lines; b"" where there is none."""
    found = next((value[key] for key in MESSAGE_KEYS if isinstance(value.get(key), str)), "")
    return cast("str", found).encode("utf-8", "replace")


def json_logger(value: Mapping[str, Any]) -> bytes:
    """The logger's name; ECS may nest it under `log`."""
    nested = value.get("log")
    inner = cast("Mapping[str, Any]", nested).get("logger") if isinstance(nested, Mapping) else None
    found = next((value[key] for key in LOGGER_KEYS if isinstance(value.get(key), str)), inner)
    return found.encode("utf-8", "replace") if isinstance(found, str) else b""


def json_trace(value: Mapping[str, Any]) -> bytes:
    """A stack trace as text; b"" where there is none."""
    for key in TRACE_KEYS:
        found = value.get(key)
        if isinstance(found, Mapping):
            inner = cast("Mapping[str, Any]", found)
            found = inner.get("stacktrace") or inner.get("extendedStackTrace") or inner.get("message")
        if isinstance(found, str) and found:
            return found.encode("utf-8", "replace")
    return b""


def json_time(value: Mapping[str, Any]) -> tuple[int | None, str]:
    """Nanoseconds, and the form of the stamp; (None, "") where no time is there."""
    for key in TIME_KEYS:
        found = value.get(key)
        if isinstance(found, Mapping):
            instant = cast("Mapping[str, Any]", found)
            seconds, part = instant.get("epochSecond"), instant.get("nanoOfSecond", 0)
            if (
                type(seconds) is int
                and type(part) is int
                and 0 <= seconds < 1 << 33
                and 0 <= part < SECOND_NS
            ):
                return seconds * SECOND_NS + part, EPOCH_TIME
        elif isinstance(found, str | int | float) and not isinstance(found, bool):
            ns, form = _plain(str(found))
            if ns is not None:
                return ns, form
    return None, ""


def _plain(text: str) -> tuple[int | None, str]:
    if text.isascii() and text.isdigit() and len(text) == 16:
        return int(text) * 1000, EPOCH_TIME
    ns = nanos(text)
    digits = text.replace(".", "", 1).isdigit()
    zoned = text.endswith(("Z", "UTC", "GMT")) or text[-6:-5] in ("+", "-") or text[-5:-4] in ("+", "-")
    return ns, EPOCH_TIME if digits else ZONED if zoned else "iso"


def json_form(objects: Sequence[Mapping[str, Any]]) -> str | None:
    """The form that the stamps of objects have; None where they have none, or not one."""
    forms = {form for one in objects if (form := json_time(one)[1])}
    return forms.pop() if len(forms) == 1 else None
