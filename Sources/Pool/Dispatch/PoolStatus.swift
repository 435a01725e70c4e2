package import MessageLayout
package import Wire

/// The state of the pool, for those who watch.
package struct PoolStatus: Equatable, Sendable {
    package var workers: [WorkerLine] = []
    package var editions: [EditionLine] = []
    package var lanes: [LaneLine] = []
    /// The live jobs in a second, while some always waited; nil when none waited lately.
    package var speed: Int?
    package var counters = Counters()
    package var isDraining = false
    /// The number of workers that lay out for readers.
    package var servedWorkers = 0
    package var absence = Absence.none
    /// Whether the next edition has had no workers for a while.
    package var isNextUnattended = false
    /// The times that the coordinator spent, by stage.
    package var times = StageTimes()
    package var content = ContentStanding()
    /// The messages on the shelf, of the edition that is served.
    package var givenUp = GivenUp(count: 0, isMore: false)
    /// The reasons why the journal cannot be written, and why it cannot be tidied up; nil where it can.
    package var unwritten: String?
    package var untidy: String?
    /// The screens that the edition that is served is laid out for.
    package var prepared: [Target] = []
    /// The screens that are added to these.
    package var added: [AddedTarget] = []
    /// The screens that were asked for most, and are not added.
    package var candidates: [WantedTarget] = []
    /// The last workers that were not let in.
    package var turnedAway: [TurnedAway] = []
    package var figures = PoolFigures()
    /// The standing in a cluster; nil where this host is alone.
    package var cluster: ClusterStanding?

    /// The want of workers that lay out for readers.
    package enum Absence: Equatable, Sendable {
        /// Some are there, or were a moment ago: one that is started again, or was not heard for a moment, is back soon.
        case none
        /// This coordinator has just begun, and none has come yet.
        case untilNow
        case forLong
    }

    package struct WorkerLine: Equatable, Sendable {
        package var hello: WorkerHello
        package var shards: Int
        package var lentJobs: Int
        package var credits: Int
        /// The time since it last said something.
        package var silence: Duration
        package var isLeaving: Bool
        package var times: StageTimes
        /// The rows that a worker without the folder was asked for, and the number that were checked; nil for other
        /// workers.
        package var elsewhere: Elsewhere?
    }

    package struct Elsewhere: Equatable, Sendable {
        package var asked: Int
        package var checked: Int
    }

    package struct GivenUp: Equatable, Sendable {
        package var count: Int
        /// Whether there are so many that no more were counted.
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
        /// The number of workers that lay it out.
        package var workers: Int
        package var undone: Int
        /// The number of shards whose walk through earlier messages is not over.
        package var shardsWalking: Int
        package var shards: [ShardLine]
    }

    package struct ShardLine: Equatable, Sendable {
        package var waiting: Int
        package var holder: Int32?
        package var epoch: LeaseEpoch?
        package var through: JobNumber
        /// The reason why it cannot be written; nil where it can.
        package var objection: Objection?
        /// The messages that have no row in it, and get none before a newer event.
        package var unavailable: Int
        package var isBlocked: Bool { objection != nil }
    }

    /// A lane of the edition that is served.
    package struct LaneLine: Equatable, Sendable {
        package var lane: Lane
        package var open: Int
        package var waiting: Int
        /// The age of the job that waits longest; nil when none waits.
        package var oldest: Duration?
        package var isPaused: Bool
    }

    /// The counts since the coordinator started.
    package struct Counters: Equatable, Sendable {
        package var accepted = 0
        /// The events that were accepted, and are not drawn as they were meant.
        package var warned = 0
        package var stored = 0
        package var superseded = 0
        package var retried = 0
        package var shelved = 0
        /// The workers that were lost.
        package var lost = 0
        /// The leases that ended with something in flight.
        package var broken = 0
        /// The files that went from a busy worker to an idle one.
        package var moved = 0
    }
}
