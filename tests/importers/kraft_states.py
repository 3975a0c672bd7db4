"""What the samples of KRaft's rules state: written from the texts themselves and what Kafka means by them."""

from core.trace.vocabulary import Basis, Election
from importers.kafka.drafts import Said

ORDERS, CLICKS, CARTS, LEDGER = ("orders", 0), ("clicks", 1), ("carts", 0), ("ledger", 0)
CLICKS_ID, CARTS_ID = "1ZVW674zRZGDZmoGLDIuNA", "sa13CsJbRGiPllj0nHH9wA"
TOLD = Basis.REPORTED
METRICS_TOLD = Said(
    "metadata_applied",
    ("metrics", 2),
    broker=3,
    leader=1,
    epoch=0,
    isr=(1, 2),
    partition_epoch=1,
    assigned=(3, 1, 2),
    topic_id="iUP1kGcGRROHqlTaua7l5g",
)
INVOICES_LED = Said(
    "became_leader",
    ("invoices", 1),
    broker=1,
    leader=1,
    epoch=2,
    partition_epoch=2,
    leo=8,
    hw=6,
    isr=(1,),
    topic_id="cGt5JveCQjmVOArNXgfLaA",
)
KRAFT_STATES: dict[str, list[list[Said]]] = {
    "kraft-leader": [
        [
            Said(
                "became_leader",
                ORDERS,
                broker=1,
                leader=1,
                epoch=87,
                partition_epoch=168,
                leo=4,
                hw=3,
                isr=(1, 2),
                topic_id="niK6BZnuRDmFaOtfqvkLJA",
            )
        ],
        [INVOICES_LED],
        [INVOICES_LED],
    ],
    "kraft-follower": [
        [Said("became_follower", LEDGER, broker=1, leader=2, epoch=2, partition_epoch=5, leo=26, hw=25)],
        [Said("became_follower", LEDGER, broker=1, leader=-1, epoch=5, partition_epoch=11, leo=41, hw=41)],
    ],
    "kraft-still-leader": [
        [
            Said(
                "metadata_applied",
                CLICKS,
                broker=2,
                leader=2,
                epoch=0,
                isr=(2, 1),
                partition_epoch=1,
                assigned=(2, 3, 1),
                topic_id=CLICKS_ID,
            ),
            Said("hw_sample", CLICKS, broker=2, hw=30, topic_id=CLICKS_ID),
        ],
        [
            Said(
                "metadata_applied",
                CARTS,
                broker=1,
                leader=1,
                epoch=0,
                isr=(1, 2),
                partition_epoch=1,
                assigned=(1, 2, 3),
                topic_id=CARTS_ID,
            ),
            Said("hw_sample", CARTS, broker=1, hw=20, topic_id=CARTS_ID),
        ],
    ],
    "kraft-still-follower": [
        [METRICS_TOLD],
        [
            Said(
                "metadata_applied",
                ("accounts", 0),
                broker=1,
                leader=2,
                epoch=2,
                isr=(2,),
                partition_epoch=6,
                assigned=(1, 2, 3),
                topic_id="o91x-2lORP6XOFDf5nQo7w",
            )
        ],
    ],
    "kraft-stale-metadata": [[Said("stale_request_ignored", CLICKS, broker=2, topic_id=CLICKS_ID)]],
    "kraft-recovering": [[Said("leader_elected", CARTS, broker=1, leader=1, aux=Election.UNCLEAN)]] * 2,
    "kraft-controller-active": [
        *([[Said("controller_elected", broker=1, epoch=4)]] * 2),
        [Said("controller_elected", broker=100, epoch=1, life=1)],
        *([[Said("controller_elected", broker=1, epoch=1)]] * 2),
    ],
    "kraft-controller-resigned": [
        [Said("controller_resigned", broker=101)],
        [Said("controller_resigned", broker=1)],
    ],
    "kraft-partition-created": [
        [
            Said(
                "partition_created",
                ("metrics", 0),
                broker=broker,
                leader=1,
                epoch=0,
                isr=(1, 2),
                assigned=(1, 2, 3),
                basis=TOLD,
                topic_id="iUP1kGcGRROHqlTaua7l5g",
            )
        ]
        for broker in (101, 1, 100)
    ],
    "kraft-partition-changed": [
        [
            Said(
                "leader_elected",
                tp,
                broker=100,
                leader=leader,
                epoch=epoch,
                isr=isr,
                partition_epoch=version,
                aux=how,
                basis=TOLD,
            ),
            # Only an unclean election, the last known leader's too, leaves a partition to recover (KIP-704).
            *(
                [
                    Said(
                        "leader_recovery_changed",
                        tp,
                        broker=100,
                        leader=leader,
                        epoch=epoch,
                        partition_epoch=version,
                        aux=1,
                        basis=TOLD,
                    )
                ]
                if how is not Election.ELR
                else []
            ),
        ]
        for tp, leader, epoch, isr, version, how in (
            (("carts", 2), 2, 3, (2,), 5, Election.UNCLEAN),
            (("sessions", 0), 3, 3, (3,), 6, Election.LAST_KNOWN),
            # to 3.9 an eligible leader replica is called unclean, and is not
            (ORDERS, 2, 3, (2,), 6, Election.ELR),
        )
    ]
    + [
        [Said("isr_committed", ORDERS, broker=100, isr=(1, 2), partition_epoch=1, basis=TOLD)],
        # As a reassignment completes, its leader had just entered the set: the word is untrue.
        [
            Said(
                "leader_elected",
                ORDERS,
                broker=100,
                leader=4,
                epoch=2,
                isr=(1, 4),
                partition_epoch=3,
                aux=Election.CLEAN,
                basis=TOLD,
            ),
            Said(
                "replicas_assigned",
                ORDERS,
                broker=100,
                isr=(4, 1),
                assigned=(4, 1),
                partition_epoch=3,
                basis=TOLD,
            ),
        ],
        [Said("leaderless", ORDERS, broker=100, leader=-1, epoch=1, isr=(), partition_epoch=2, basis=TOLD)],
        # to 3.1 without a recovery state
        [
            Said(
                "leader_elected",
                ORDERS,
                broker=1,
                leader=2,
                epoch=3,
                isr=(2,),
                partition_epoch=6,
                aux=Election.UNCLEAN,
                basis=TOLD,
            )
        ],
        [Said("isr_committed", ORDERS, broker=1, isr=(1, 2), partition_epoch=1, basis=TOLD)],
    ],
    "kraft-broker-fenced": [
        *([[Said("broker_fenced", broker=3, replica=1, basis=TOLD)]] * 2),
        [Said("broker_fenced", broker=3, replica=1, basis=TOLD, life=16)],
        [Said("broker_fenced", broker=1, replica=2, basis=TOLD)],
    ],
    "kraft-broker-unfenced": [
        [Said("broker_unfenced", broker=100, replica=2, basis=TOLD, life=7)],
        [Said("broker_unfenced", broker=1, replica=2, basis=TOLD)],
    ],
    "kraft-broker-registers": [
        [Said("broker_registered", broker=3, replica=1, basis=TOLD, life=16)],
        [Said("broker_registered", broker=102, replica=1, basis=TOLD, life=56)],
    ],
    "kraft-shutdown-asked": [
        [Said("controlled_shutdown_begun", broker=100, replica=1, basis=TOLD)],
        [Said("controlled_shutdown_begun", broker=1, replica=1, basis=TOLD)],
    ],
    "kraft-shutdown-granted": [
        [Said("controlled_shutdown_ended", broker=broker, replica=1, aux=1, basis=TOLD)]
        for broker in (100, 100, 100, 100, 100, 1)
    ],
    "kraft-isr-rejected": [
        [
            Said("isr_update_rejected", ("carts", 2), broker=100, epoch=6),
            Said(
                "isr_committed",
                ("carts", 2),
                broker=100,
                epoch=6,
                isr=(3,),
                partition_epoch=13,
                basis=TOLD,
            ),
        ],
        *([[Said("isr_update_rejected", ORDERS, broker=1)]] * 2),
    ],
    "kraft-directories-offline": [[Said("log_dir_failed", broker=1, replica=2, basis=TOLD)]],
    "kraft-starting": [[Said("broker_starting", broker=1)]],
    "kraft-started": [[Said("broker_started", broker=1)]],
    "kraft-stopping": [[Said("shutdown_requested", broker=1)]],
    "kraft-stopped": [[Said("broker_stopped", broker=1)]],
    "kraft-registered": [[Said("broker_registered", broker=1, life=9)]],
    "kraft-running": [[Said("broker_unfenced", broker=1)]],
    "kraft-controlled-shutdown-begun": [[Said("controlled_shutdown_begun", broker=1)]],
    "kraft-controlled-shutdown-ended": [[Said("controlled_shutdown_ended", broker=1, aux=1)]] * 2,
    "kraft-still-leader-3.0": [[Said("metadata_applied", CLICKS, broker=2, leader=2, topic_id=CLICKS_ID)]],
    "kraft-still-follower-3.0": [[METRICS_TOLD]],
}
