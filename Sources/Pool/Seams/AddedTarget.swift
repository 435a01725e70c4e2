package import MessageLayout

/// A screen that rows are laid out for beside those of their style.
package struct AddedTarget: Equatable, Sendable {
    package var target: Target
    /// How often it was asked for lately.
    package var demand: Int
    /// An operator wants it, whether or not anybody asks.
    package var isByHand: Bool

    package init(_ target: Target, demand: Int, isByHand: Bool = false) {
        (self.target, self.demand, self.isByHand) = (target, demand, isByHand)
    }
}
