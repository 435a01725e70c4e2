package import MessageLayout
package import Wire

/// What is going on, for those who watch.
package struct PoolStatus: Equatable, Sendable {
    package var workers: [WorkerLine] = []
    package var editions: [EditionLine] = []
    package var lanes: [LaneLine] = []
    /// Live jobs in a second, while some always waited; nil when none waited lately.
    package var speed: Int?
    package var counters = Counters()
    package var isDraining = false
    /// How many workers lay out the edition that is served.
    package var servedWorkers = 0
    /// What the coordinator's time went into.
    package var times = StageTimes()
    package var content = ContentStanding()
    /// Messages on the shelf, of the edition that is served.
    package var givenUp = GivenUp(count: 0, isMore: false)
    /// Screens that the edition that is served is laid out for.
    package var prepared: [Target] = []
    /// Beside them.
    package var added: [AddedTarget] = []
    /// Those that were asked for most, and are not added.
    package var candidates: [WantedTarget] = []
    /// The last workers that were not let in.
    package var turnedAway: [TurnedAway] = []
    package var figures = PoolFigures()
    /// Standing in a cluster; nil where this host is alone.
    package var cluster: ClusterStanding?

    package struct WorkerLine: Equatable, Sendable {
        package var hello: WorkerHello
        package var shards: Int
        package var lentJobs: Int
        package var credits: Int
        /// Since it last said something.
        package var silence: Duration
        package var isLeaving: Bool
        package var times: StageTimes
        /// Rows that it was asked for, of one without the folder, and how many of them were looked at.
        package var elsewhere: Elsewhere?
    }

    package struct Elsewhere: Equatable, Sendable {
        package var asked: Int
        package var checked: Int
    }

    package struct GivenUp: Equatable, Sendable {
        package var count: Int
        /// There are as many that no more were counted.
        package var isMore: Bool

        package init(count: Int, isMore: Bool) { (self.count, self.isMore) = (count, isMore) }
    }

    package struct TurnedAway: Equatable, Sendable {
        package var process: Int32
        package var machine: String
        package var reason: Objection
    }

    package struct EditionLine: Equatable, Sendable {
        package var id: EditionID
        package var name: String
        package var isCurrent: Bool
        package var isNext: Bool
        package var undone: Int
        /// Shards that are not through the messages that were there before the edition.
        package var shardsWalking: Int
        package var shards: [ShardLine]
    }

    package struct ShardLine: Equatable, Sendable {
        package var waiting: Int
        package var holder: Int32?
        package var epoch: LeaseEpoch?
        package var through: JobNumber
        /// Why it cannot be written; nil where it can.
        package var objection: Objection?
        /// Messages that have no row in it, and get none until something newer is said of them.
        package var unavailable: Int
        package var isBlocked: Bool { objection != nil }
    }

    /// Of the edition that is served.
    package struct LaneLine: Equatable, Sendable {
        package var lane: Lane
        package var open: Int
        package var waiting: Int
        /// Of the job that waits longest; nil when none waits.
        package var oldest: Duration?
        package var isPaused: Bool
    }

    /// Since the coordinator started.
    package struct Counters: Equatable, Sendable {
        package var accepted = 0
        /// Events that were accepted, and are not drawn as they were meant.
        package var warned = 0
        package var stored = 0
        package var superseded = 0
        package var retried = 0
        package var shelved = 0
        /// Workers.
        package var lost = 0
        /// Leases that ended with something in flight.
        package var broken = 0
        /// Shards that went from a busy worker to an idle one.
        package var moved = 0
    }
}
