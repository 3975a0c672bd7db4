"""The schemas of the records of the KRaft metadata log, `__cluster_metadata-0`, as one table.

It follows metadata/src/main/resources/common/metadata/*.json and, for control records,
clients/src/main/resources/common/message/*.json, from 3.3 to 4.3. Names are those that kafka-dump-log prints.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

# A record: apiKey (control records: the type in their key), name, first and last version.
# A field: name, type (`?` nullable), first version if not 0, `@tag` if tagged, `=default` of a tagged field.
# Deeper lines are the fields of the struct above them.
_TABLE: Final = """
0 RegisterBrokerRecord 0-4
  brokerId int32
  isMigratingZkBroker bool 2+
  incarnationId uuid
  brokerEpoch int64
  endPoints []struct
    name string
    host string
    port uint16
    securityProtocol int16
  features []struct
    name string
    minSupportedVersion int16
    maxSupportedVersion int16
  rack string?
  fenced bool
  inControlledShutdown bool 1+
  logDirs []uuid 3+ @0
  cordonedLogDirs []uuid? 4+ @1
1 UnregisterBrokerRecord 0-0
  brokerId int32
  brokerEpoch int64
2 TopicRecord 0-0
  name string
  topicId uuid
3 PartitionRecord 0-2
  partitionId int32
  topicId uuid
  replicas []int32
  isr []int32
  removingReplicas []int32
  addingReplicas []int32
  leader int32
  leaderRecoveryState int8 0+ @0
  leaderEpoch int32
  partitionEpoch int32
  directories []uuid 1+
  eligibleLeaderReplicas []int32? 2+ @1
  lastKnownElr []int32? 2+ @2
4 ConfigRecord 0-0
  resourceType int8
  resourceName string
  name string
  value string?
5 PartitionChangeRecord 0-2
  partitionId int32
  topicId uuid
  isr []int32? 0+ @0
  leader int32 0+ @1 =-2
  replicas []int32? 0+ @2
  removingReplicas []int32? 0+ @3
  addingReplicas []int32? 0+ @4
  leaderRecoveryState int8 0+ @5 =-1
  eligibleLeaderReplicas []int32? 2+ @6
  lastKnownElr []int32? 2+ @7
  directories []uuid? 1+ @8
7 FenceBrokerRecord 0-0
  id int32
  epoch int64
8 UnfenceBrokerRecord 0-0
  id int32
  epoch int64
9 RemoveTopicRecord 0-0
  topicId uuid
10 DelegationTokenRecord 0-0
  owner string
  requester string
  renewers []string
  issueTimestamp int64
  maxTimestamp int64
  expirationTimestamp int64
  tokenId string
11 UserScramCredentialRecord 0-0
  name string
  mechanism int8
  salt bytes
  storedKey bytes
  serverKey bytes
  iterations int32
12 FeatureLevelRecord 0-0
  name string
  featureLevel int16
14 ClientQuotaRecord 0-0
  entity []struct
    entityType string
    entityName string?
  key string
  value float64
  remove bool
15 ProducerIdsRecord 0-0
  brokerId int32
  brokerEpoch int64
  nextProducerId int64
16 RemoveFeatureLevelRecord 0-0
  name string
17 BrokerRegistrationChangeRecord 0-3
  brokerId int32
  brokerEpoch int64
  fenced int8 0+ @0
  inControlledShutdown int8 1+ @1
  logDirs []uuid 2+ @2
  cordonedLogDirs []uuid? 3+ @3
18 AccessControlEntryRecord 0-0
  id uuid
  resourceType int8
  resourceName string
  patternType int8
  principal string
  host string
  operation int8
  permissionType int8
19 RemoveAccessControlEntryRecord 0-0
  id uuid
20 NoOpRecord 0-0
21 ZkMigrationStateRecord 0-0
  zkMigrationState int8
22 RemoveUserScramCredentialRecord 0-0
  name string
  mechanism int8
23 BeginTransactionRecord 0-0
  name string? 0+ @0
24 EndTransactionRecord 0-0
25 AbortTransactionRecord 0-0
  reason string? 0+ @0
26 RemoveDelegationTokenRecord 0-0
  tokenId string
27 RegisterControllerRecord 0-0
  controllerId int32
  incarnationId uuid
  zkMigrationReady bool
  endPoints []struct
    name string
    host string
    port uint16
    securityProtocol int16
  features []struct
    name string
    minSupportedVersion int16
    maxSupportedVersion int16
28 ClearElrRecord 0-0
  topicName string
29 UnregisterControllerRecord 0-0
  controllerId int32
"""
_CONTROL_TABLE: Final = """
2 LeaderChange 0-1
  version int16
  leaderId int32
  voters []struct
    voterId int32
    voterDirectoryId uuid 1+
  grantingVoters []struct
    voterId int32
    voterDirectoryId uuid 1+
3 SnapshotHeader 0-0
  version int16
  lastContainedLogTimestamp int64
4 SnapshotFooter 0-0
  version int16
5 KRaftVersion 0-0
  version int16
  kRaftVersion int16
6 KRaftVoters 0-0
  version int16
  voters []struct
    voterId int32
    voterDirectoryId uuid
    endpoints []struct
      name string
      host string
      port uint16
    kRaftVersionFeature struct
      minSupportedVersion int16
      maxSupportedVersion int16
"""


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a schema. `type` is without brackets and `?`; `fields` are those of a struct.

    A tagged field (`tag` is set) that is absent has `default`; where it is None, an empty array, or 0.
    """

    name: str
    type: str
    array: bool = False
    nullable: bool = False
    since: int = 0
    tag: int | None = None
    default: int | None = None
    fields: tuple["Field", ...] = ()

    def absent(self) -> Any:  # noqa: ANN401 - values of a record are JSON values
        """What the field is where a record does not carry it."""
        if self.default is not None:
            return self.default
        if self.nullable:
            return None
        return [] if self.array else 0


@dataclass(frozen=True, slots=True)
class Schema:
    """One kind of record: apiKey (or type of a control record), name, first and last version known here."""

    key: int
    name: str
    first: int
    last: int
    fields: tuple[Field, ...]


def _field(text: str, fields: tuple[Field, ...]) -> Field:
    name, spec, *rest = text.split()
    numbers = {part[0]: int(part[1:]) for part in rest if part[0] in "@="}
    since = next((int(part[:-1]) for part in rest if part.endswith("+")), 0)
    plain = spec.removesuffix("?").removeprefix("[]")
    return Field(
        name, plain, "[]" in spec, spec.endswith("?"), since, numbers.get("@"), numbers.get("="), fields
    )


def _fields(lines: Sequence[str], indent: int) -> tuple[Field, ...]:
    """The fields at one depth; deeper lines belong to the one before them."""
    found: list[Field] = []
    heads = [number for number, line in enumerate(lines) if len(line) - len(line.lstrip()) == indent]
    for start, end in pairwise([*heads, len(lines)]):
        found.append(_field(lines[start], _fields(lines[start + 1 : end], indent + 2)))
    return tuple(found)


def _schemas(table: str) -> Mapping[int, Schema]:
    found: dict[int, Schema] = {}
    lines = table.strip("\n").splitlines()
    heads = [number for number, line in enumerate(lines) if not line.startswith(" ")]
    for start, end in pairwise([*heads, len(lines)]):
        key, name, versions = lines[start].split()
        first, last = versions.split("-")
        found[int(key)] = Schema(int(key), name, int(first), int(last), _fields(lines[start + 1 : end], 2))
    return found


SCHEMAS: Final[Mapping[int, Schema]] = _schemas(_TABLE)
"""Metadata records by apiKey."""
CONTROL_SCHEMAS: Final[Mapping[int, Schema]] = _schemas(_CONTROL_TABLE)
"""Records of control batches by the type in their key; 0 and 1 (abort, commit) are transaction markers."""
