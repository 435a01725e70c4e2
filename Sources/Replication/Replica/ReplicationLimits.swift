/// The times by which a replica acts. None of them decides who may write: a clock that is wrong makes a replica act
/// too early or too late.
package struct ReplicationLimits: Equatable, Sendable {
    /// The pause after which an owner that has nothing to say says so.
    package var beat = Duration.seconds(1)
    /// The silence of the log after which a host claims: the first in rank, and each of the others a step later.
    package var silence = Duration.seconds(3)
    package var step = Duration.milliseconds(500)
    /// The age of its last append at which an owner answers `busy`; also the time after which a refusal that cannot
    /// be explained ends its reign.
    package var patience = Duration.seconds(2)
    /// The pause after which an engine that had no room for a record is asked again.
    package var rest = Duration.milliseconds(200)
    /// The time that an owner which hands its log over waits for the claim of the other.
    package var yielding = Duration.seconds(1)
    /// The time that others are heard before a host claims behind a log that ends before its own journal.
    package var hearing = Duration.seconds(5)
    /// The pause between two looks at the log.
    package var poll = Duration.milliseconds(50)
    /// The pause between two looks where another host has said that it has more of the log.
    package var nudge = Duration.milliseconds(10)
    /// The pause between two marks.
    package var mark = Duration.milliseconds(200)
    /// The age at which a mark says nothing of now.
    package var freshness = Duration.seconds(2)
    package var trim = Duration.seconds(10)
    /// The silence after which a host is not waited for when the log is trimmed.
    package var absence = Duration.seconds(60)
    /// The time for which nothing is trimmed while a host copies a journal: it reads on behind that.
    package var recovery = Duration.seconds(600)
    /// The time without word of any other host after which a host is alone.
    package var solitude = Duration.seconds(10)
    package var keyAge = Duration.seconds(60)
    /// The time after which a copy is asked for again, of the host that knows most then; one that still comes goes on.
    package var copying = Duration.seconds(30)
    /// The time for which a host makes way, unless it is told to again: as a copy is asked for, over and over.
    package var makingWay = Duration.seconds(60)

    package init() {}
}
