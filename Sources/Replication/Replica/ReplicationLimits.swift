/// When a replica tries what. None of it decides who may write: a clock that is wrong makes a replica try too early or too late.
package struct ReplicationLimits: Equatable, Sendable {
    /// An owner that has nothing to say says so.
    package var beat = Duration.seconds(1)
    /// After so long without a record somebody claims: the first in rank, and each of the others a step later.
    package var silence = Duration.seconds(3)
    package var step = Duration.milliseconds(500)
    /// An owner whose last append is older answers `busy`; a refusal that cannot be explained for so long ends its reign.
    package var patience = Duration.seconds(2)
    /// Patience of an owner that hands its log over, until the claim of the other.
    package var yielding = Duration.seconds(1)
    /// How long others are heard before somebody claims behind an end that is before its own journal's.
    package var hearing = Duration.seconds(5)
    /// Between two looks at the log.
    package var poll = Duration.milliseconds(50)
    /// Pause between two looks where another host has said that it has more of the log.
    package var nudge = Duration.milliseconds(10)
    /// Between two marks.
    package var mark = Duration.milliseconds(200)
    /// A mark that is older says nothing of now.
    package var freshness = Duration.seconds(2)
    package var trim = Duration.seconds(10)
    /// A host that was not heard for so long is not waited for when the log is trimmed.
    package var absence = Duration.seconds(60)
    /// A host that has heard no other for so long is alone.
    package var solitude = Duration.seconds(10)
    package var keyAge = Duration.seconds(60)
    /// Until a copy that does not come is asked for elsewhere.
    package var copying = Duration.seconds(30)

    package init() {}
}
