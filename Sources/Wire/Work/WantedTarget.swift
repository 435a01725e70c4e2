package import MessageLayout

/// A screen, and how often it was asked for.
package struct WantedTarget: Equatable, Sendable {
    package var target: Target
    package var times: Int

    /// More is not counted.
    package static let mostTimes = 1 << 40

    package init(_ target: Target, times: Int) { (self.target, self.times) = (target, times) }
}
