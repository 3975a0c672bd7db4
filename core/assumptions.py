"""Every time that reading a trace takes for granted: how long something lasts, and how sharp times are.

Logs do not say when a broker was told, or whose clock is right. What is concluded all the same rests on
these numbers, and on no others: core/history, core/diagnose and importers have no time of their own
(tests/test_assumptions.py). docs/assumptions.md is the same as a table.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from core.trace.units import DAY_NS, HOUR_NS, MILLISECOND_NS, MINUTE_NS, SECOND_NS


@dataclass(frozen=True, slots=True)
class Assumption:
    """A time that is taken for granted.

    `claim` is what is assumed, with its condition. `source` is what it rests on: settings of Kafka with the
    releases of their defaults, something else that is written down, or "chosen: " and what is known to bear
    on the number; "chosen" alone where nothing supports it.

    `hard` says whether a wrong number can make something that is claimed false: a bound without the true
    value, a time, an order, a finding. Where it is not hard, it defines what is counted or worded.
    """

    ns: int
    claim: str
    source: str
    hard: bool


# How sharp times are, in logs and in files.

BROKERS_OUT_OF_ORDER_WITHIN: Final = Assumption(
    50 * MILLISECOND_NS,
    "Two rows of different brokers may stand in the wrong order while they are no further apart.",
    "chosen: above the 25 ms that a KRaft controller lets a record wait for its batch (BatchAccumulator)",
    hard=True,
)
FILES_OUT_OF_ORDER_WITHIN: Final = Assumption(
    50 * MILLISECOND_NS,
    "Two files of one broker may tell of two requests in the wrong order while they are no further apart.",
    "chosen: above the one millisecond within which a broker has told of two requests",
    hard=True,
)
THREADS_SELDOM_BACK_BY_MORE: Final = Assumption(
    MILLISECOND_NS,
    "In the file of a broker less than one line in ten goes back by more; in one of a collector more may.",
    "recordings: of the logs with five such lines at most one in sixty",
    hard=True,
)
LINES_OUT_OF_ORDER_WITHIN: Final = Assumption(
    2 * SECOND_NS,
    "Lines of several threads go back by no more in one file; what goes back further was joined or set back.",
    "chosen",
    hard=True,
)
CLOCK_SET_BACK_AT_MOST: Final = Assumption(
    MINUTE_NS,
    "A clock is not set back by more while a broker runs: what goes back further is a change of its zone.",
    "chosen",
    hard=True,
)
SILENT_WHILE_SET_FOR: Final = Assumption(
    2 * SECOND_NS,
    "A clock that was set and shows no step was set in a pause of all logs of its broker that is longer.",
    "chosen",
    hard=False,
)
FASTEST_MESSAGE_TAKES_LESS: Final = Assumption(
    SECOND_NS,
    "Of many messages between two nodes the fastest takes less: clocks that show more for each are apart.",
    "recordings: a few milliseconds",
    hard=False,
)
LINES_COLLECTED_LATE_BY: Final = Assumption(
    10 * MINUTE_NS,
    "A collector that mixes up lines hands on each of them no later than this after one of a later time.",
    "chosen",
    hard=True,
)
CLIENT_CLOCK_AHEAD_AT_MOST: Final = Assumption(
    100 * MILLISECOND_NS,
    "The clock of a producer is ahead of a broker's by no more, unless a statement shows that it is.",
    "chosen",
    hard=True,
)
ZONE_OFF_QUARTERS_BY: Final = Assumption(
    MINUTE_NS,
    "A difference between two clocks that is no further from whole quarters of an hour is that of a zone.",
    "chosen: zones are ahead of UTC by whole quarters of an hour",
    hard=True,
)
LOGS_OF_A_FOLDER_APART_BY_LESS: Final = Assumption(
    15 * MINUTE_NS,
    "Logs in one folder whose stamps are further apart may be of machines in two zones.",
    "chosen: what zones are apart by at least",
    hard=True,
)
ZONE_AHEAD_AT_MOST: Final = Assumption(
    14 * HOUR_NS,
    "No zone is ahead of UTC, or behind it, by more.",
    "the tz database: Pacific/Kiritimati is 14 h ahead",
    hard=True,
)
LOG_LATER_THAN_ITS_FILE_BY: Final = Assumption(
    DAY_NS,
    "The last line of a log without years, whose zone is not known yet, is later than its file by no more.",
    "chosen: above the 14 h by which a zone can be ahead of UTC",
    hard=True,
)
NEW_YEAR_GOES_BACK_BY: Final = Assumption(
    183 * DAY_NS,
    "A log without years that goes back by more has begun a new year.",
    "chosen: half a year",
    hard=True,
)
NEW_DAY_GOES_BACK_BY: Final = Assumption(
    12 * HOUR_NS,
    "A log without dates that goes back by more has begun a new day.",
    "chosen: half a day",
    hard=True,
)
CHECKPOINT_BEFORE_FILE_TIME_BY: Final = Assumption(
    1_100 * MILLISECOND_NS,
    "A checkpoint whose file has a time of whole seconds was written this long before its end at most.",
    "chosen: the second that archives cut off times of files, and 100 ms",
    hard=True,
)
FILE_BEFORE_LOGS_AT_MOST: Final = Assumption(
    HOUR_NS,
    "A file that is older than the first line of all logs by no more was written then, else copied.",
    "chosen",
    hard=True,
)
FILE_AFTER_LOGS_AT_MOST: Final = Assumption(
    10 * MINUTE_NS,
    "A file that is newer than the last line of all logs by no more was written then, else copied.",
    "chosen",
    hard=True,
)
COPIED_FILES_LIE_WITHIN: Final = Assumption(
    2 * SECOND_NS,
    "Three or more files of a data directory that are no further apart were copied (cp -r), not written.",
    "chosen: a broker writes some as it starts, others every few seconds, others with each record",
    hard=True,
)

# What a broker prints, and how soon.

FIRST_LINES_OF_START_WITHIN: Final = Assumption(
    10 * SECOND_NS,
    "The lines that only a start prints lie no further apart, unless it waits; what is later is a new life.",
    "chosen",
    hard=True,
)
DIRECTORIES_TOLD_OF_WITHIN: Final = Assumption(
    MINUTE_NS,
    "A start says within this how it found its directories.",
    "chosen: a quorum or a disk may keep a start waiting",
    hard=True,
)
RESTART_TAKES_AT_LEAST: Final = Assumption(
    2 * SECOND_NS,
    "No broker ends and starts again in less: of two values that exclude each other and are no further apart "
    "one is wrong, and no log fell between them.",
    "chosen",
    hard=True,
)
EXIT_TAKES_AT_MOST: Final = Assumption(
    5 * SECOND_NS,
    "A process that wants to exit says nothing more after this; one that does hangs.",
    "chosen",
    hard=True,
)
ROLE_AND_FETCHER_LINES_WITHIN: Final = Assumption(
    2 * SECOND_NS,
    "A broker prints a new role in one log and the change of its fetchers, or that it came back, in another "
    "within this; else lines are missing.",
    "chosen",
    hard=True,
)
ROLE_AND_REMOVAL_WITHIN: Final = Assumption(
    SECOND_NS,
    "A broker prints its new role in one log and the removal of its fetcher in another within this.",
    "chosen",
    hard=True,
)
LOG_END_TOLD_BEFORE_APPENDS_WITHIN: Final = Assumption(
    SECOND_NS,
    "A replica says within this after the word on its role where its log ends, before it appends in it.",
    "chosen",
    hard=True,
)
FORMER_ROLE_ECHOES_FOR: Final = Assumption(
    SECOND_NS,
    "A broker may print for so long what belongs to its role, or its life, of before.",
    "chosen",
    hard=True,
)
NEXT_ROLE_FOLLOWS_WITHIN: Final = Assumption(
    2 * SECOND_NS,
    "A broker that was told of a later epoch prints its role in it within this, if its logs go on so long.",
    "chosen",
    hard=True,
)
CHECKPOINT_READ_TWICE_WITHIN: Final = Assumption(
    10 * SECOND_NS,
    "That a checkpoint is read is said twice only within this, unless a start or a deletion is between.",
    "chosen",
    hard=True,
)
FETCHES_PAUSE_AT_MOST: Final = Assumption(
    5 * SECOND_NS,
    "A broker that prints every fetch, and runs, is silent for no longer, or, if its usual pauses are long, "
    "for no longer than ten of them.",
    "chosen: above replica.fetch.wait.max.ms=500, the longest that a leader lets a fetch wait",
    hard=True,
)
FETCHED_AFTER_CUT_WITHIN: Final = Assumption(
    10 * SECOND_NS,
    "A follower has fetched within this after a cut: its high watermark is no longer above its log end.",
    "chosen: above replica.fetch.wait.max.ms=500, the longest that a leader lets a fetch wait",
    hard=True,
)
CHECKPOINT_WRITTEN_EVERY: Final = Assumption(
    5 * SECOND_NS,
    "A broker that runs writes its high watermarks so often, where nothing states the setting.",
    "replica.high.watermark.checkpoint.interval.ms=5000, in all releases that are read",
    hard=True,
)

# How soon others learn of something.

TERM_REACHES_ALL_WITHIN: Final = Assumption(
    500 * MILLISECOND_NS,
    "All replicas that are up are told of a new term within this; who tells of it later was told late.",
    "chosen",
    hard=True,
)
CONTROLLER_TELLS_BROKERS_WITHIN: Final = Assumption(
    5 * SECOND_NS,
    "A controller tells the brokers that are up what it decided within this.",
    "chosen",
    hard=True,
)
CHANGE_NOTICES_KEPT_FOR: Final = Assumption(
    15 * MINUTE_NS,
    "A broker that was down for no longer is told at its start which topics were given other settings.",
    "chosen: so long ZkNodeChangeNotificationListener keeps them (changeExpirationMs, 0.10.1 to 3.9)",
    hard=True,
)
ROLES_TOLD_AFTER_START_WITHIN: Final = Assumption(
    10 * SECOND_NS,
    "A broker that started has been told its roles within this, or its words on them are missing.",
    "chosen",
    hard=True,
)
ELECTION_TOLD_WITHIN: Final = Assumption(
    2 * SECOND_NS,
    "Logs tell of an election later than of what came of it by no more; what is later is another one.",
    "chosen",
    hard=True,
)
STALE_LEADER_LASTS: Final = Assumption(
    1 * SECOND_NS,
    "Changes of the in-sync set by a leader that learns the newer state in time are refused for less long.",
    "chosen; KAFKA-2729 lasts until a restart",
    hard=False,
)
END_NOTICED_WITHIN: Final = Assumption(
    30 * SECOND_NS,
    "Others notice the end of a life within this, also where the next one began at once.",
    "chosen: above zookeeper.session.timeout.ms=6000 to 2.4 and 18000 from 2.5 (KIP-537), and with KRaft "
    "broker.session.timeout.ms=9000",
    hard=True,
)
SAID_STANDS_AFTER_LOGS_FOR: Final = Assumption(
    10 * SECOND_NS,
    "What was said stands for so long after the last line of the logs; then nobody would tell of a change.",
    "chosen",
    hard=True,
)
METADATA_IS_COMMITTED_AFTER: Final = Assumption(
    10 * SECOND_NS,
    "A record of the metadata log that its copy follows for so long with more was committed.",
    "chosen: above the 3 s (1.5 times controller.quorum.fetch.timeout.ms=2000; KIP-996) after which a leader "
    "without its majority resigns; until then it writes a NoOpRecord every half second",
    hard=True,
)

# What is shown, counted and worded.

STATED_VALUE_SHOWN_FOR: Final = Assumption(
    5 * MILLISECOND_NS,
    "A value that a row states is shown as exact until the next row of the trace, if that comes within this.",
    "chosen",
    hard=True,
)
JUST_SAID_SHOWN_FOR: Final = Assumption(
    500 * MILLISECOND_NS,
    "A leader, epoch or set of which nobody would tell a change is shown until the next event of the trace, "
    "if that comes within this.",
    "chosen",
    hard=True,
)
LEADER_PAUSED_AT_MOST: Final = Assumption(
    SECOND_NS,
    "A leader that put out every follower and took one back within this had paused itself.",
    "chosen",
    hard=True,
)
NEXT_STOP_OF_SHUTDOWN_WITHIN: Final = Assumption(
    30 * SECOND_NS,
    "Where all are stopped, never to start again, the next one is stopped within this after the end of one.",
    "chosen",
    hard=False,
)
ALONE_IN_SYNC_FOR_MORE_THAN: Final = Assumption(
    SECOND_NS,
    "A leader that is alone in the in-sync set for longer is worth a finding.",
    "chosen",
    hard=False,
)
TRANSACTION_LASTS_AT_MOST: Final = Assumption(
    15 * MINUTE_NS,
    "No transaction may last longer, where no line states transaction.max.timeout.ms.",
    "transaction.max.timeout.ms=900000, since 0.11 (KIP-98)",
    hard=False,
)
TRANSACTION_ABORTED_WITHIN: Final = Assumption(
    10 * SECOND_NS,
    "So long after its timeout a coordinator that knows of a transaction has aborted it.",
    "transaction.abort.timed.out.transaction.cleanup.interval.ms=10000, since 0.11",
    hard=False,
)
INCIDENT_GOES_ON_WITHIN: Final = Assumption(
    MINUTE_NS,
    "Losses, divergences and alarms that share brokers are one incident if no more time lies between them.",
    "chosen",
    hard=False,
)
STEPS_OF_A_STORY_WITHIN: Final = Assumption(
    SECOND_NS,
    "What several partitions did within this is one step of the story of an incident.",
    "chosen",
    hard=False,
)
LEADERLESS_TOLD_FOR_MORE_THAN: Final = Assumption(
    SECOND_NS,
    "A partition that has no leader for longer was unavailable; a shorter time is that of an election.",
    "chosen",
    hard=False,
)
EPOCH_STORM_LASTS: Final = Assumption(
    MINUTE_NS,
    "Leader epochs that rise within this are counted as one storm.",
    "chosen",
    hard=False,
)
ISR_FLAPPING_LASTS: Final = Assumption(
    5 * MINUTE_NS,
    "Departures of a replica from the in-sync set within this are counted together.",
    "chosen",
    hard=False,
)
END_TOLD_AS_A_MOMENT_WITHIN: Final = Assumption(
    SECOND_NS,
    "The end of a process that is known to less is told as a moment, else as a silence with two ends.",
    "chosen",
    hard=False,
)


def assumptions() -> Mapping[str, Assumption]:
    """All of them by name, in the order in which they stand here."""
    return {name: one for name, one in globals().items() if isinstance(one, Assumption)}
