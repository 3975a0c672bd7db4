"""What a person calls the brokers of a trace."""

from collections.abc import Iterable

from core.message import Names, Value, message
from core.trace.trace import Trace


def broker_names(trace: Trace) -> dict[int, str]:
    """What a person calls each broker: its name in a simulation, else "broker 1"."""
    found: dict[int, str] = {}
    for broker in trace.brokers:
        number = int(broker.broker_id)
        found[number] = broker.name if broker.name and not broker.name.isdigit() else f"broker {number}"
    return found


def broker_value(trace: Trace, broker: int) -> Value:
    """A broker as a value of a message: its name in a simulation, else its number."""
    for one in trace.brokers:
        if int(one.broker_id) == broker and one.name and not one.name.isdigit():
            return one.name
    return message("broker.number", number=broker)


def brokers_value(trace: Trace, brokers: Iterable[int]) -> Value:
    """Brokers as a value of a message; of one it is that broker itself."""
    named = tuple(broker_value(trace, broker) for broker in brokers)
    return named[0] if len(named) == 1 else Names(named)
