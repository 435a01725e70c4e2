/// A search for the highest rate that a service bears: it doubles the rate until the service fails, then tries the
/// middle between the highest borne rate and the lowest refused one, until the two are close.
package struct CapacitySearch: Equatable, Sendable {
    /// The next rate to try; nil when the search is over.
    package private(set) var next: Double?
    /// The highest rate that was borne, if any was.
    package private(set) var borne: Double?
    /// The lowest rate that was not borne.
    package private(set) var refused: Double?
    private let precision: Double
    private let range: ClosedRange<Double>

    /// - Parameter precision: the largest distance between the two at the end, as a part of the rate.
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
