/// The steps in which a row is made of a message, for clocks that tell them apart.
package enum LayoutStage: Int, CaseIterable, Sendable {
    case parse, plan, measure, solve, key, encode, texts

    /// A function that is called when a step has ended.
    package typealias Reached = (LayoutStage) -> Void
}
