/// Looks for the highest rate that a service bears: twice as much until it does not, then the middle between what it bore and
/// what it did not, until they are close.
package struct CapacitySearch: Equatable, Sendable {
    /// What to try next; nil when the search is over.
    package private(set) var next: Double?
    /// The highest that was borne, if any was.
    package private(set) var borne: Double?
    /// The lowest that was not.
    package private(set) var refused: Double?
    private let precision: Double
    private let range: ClosedRange<Double>

    /// - Parameter precision: how close the two must come, as a part of the rate.
    package init(from rate: Double, in range: ClosedRange<Double> = 1...1e7, precision: Double = 0.05) {
        (next, self.range, self.precision) = (rate, range, precision)
    }

    package mutating func tried(isBorne: Bool) {
        guard let rate = next else { return }
        if isBorne { borne = rate } else { refused = rate }
        next = following()
    }

    private func following() -> Double? {
        switch (borne, refused) {
        case (let borne?, let refused?) where refused <= borne * (1 + precision): nil
        case (let borne?, let refused?): (borne + refused) / 2
        case (let borne?, nil): borne * 2 <= range.upperBound ? borne * 2 : nil
        case (nil, let refused?): refused / 2 >= range.lowerBound ? refused / 2 : nil
        case (nil, nil): next
        }
    }
}
