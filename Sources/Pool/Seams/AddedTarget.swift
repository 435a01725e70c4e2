package import MessageLayout

/// A screen that rows are laid out for beside those of their style.
package struct AddedTarget: Equatable, Sendable {
    package var target: Target
    /// The number of times that it was asked for lately.
    package var demand: Int
    /// Whether an operator wants it, also if nobody asks.
    package var isByHand: Bool

    package init(_ target: Target, demand: Int, isByHand: Bool = false) {
        (self.target, self.demand, self.isByHand) = (target, demand, isByHand)
    }
}
