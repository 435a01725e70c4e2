package import MessageLayout

/// A screen, and the number of times that it was asked for.
package struct WantedTarget: Equatable, Sendable {
    package var target: Target
    package var times: Int

    /// The highest number; more is not counted.
    package static let mostTimes = 1 << 40

    package init(_ target: Target, times: Int) { (self.target, self.times) = (target, times) }
}
