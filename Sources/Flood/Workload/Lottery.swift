/// A lottery that draws places by their weights, in constant time however many there are (Walker's alias method):
/// each place keeps a part of an equal share, and the rest of that share belongs to one other place.
package struct Lottery: Sendable {
    /// The part of its share that a place keeps, of 2³².
    private var kept: [UInt32]
    private var other: [UInt32]

    package init(weights: [Double]) {
        precondition(!weights.isEmpty && weights.count <= UInt32.max, "a lottery needs places")
        let mean = weights.reduce(0, +) / Double(weights.count)
        var shares = weights.map { $0 / mean }
        kept = Array(repeating: .max, count: weights.count)
        other = (0..<UInt32(weights.count)).map { $0 }
        var poor = shares.indices.filter { shares[$0] < 1 }
        var rich = shares.indices.filter { shares[$0] >= 1 }
        while let needy = poor.popLast(), let giver = rich.last {
            kept[needy] = UInt32(min(shares[needy] * 0x1p32, 0x1p32 - 1))
            other[needy] = UInt32(giver)
            shares[giver] -= 1 - shares[needy]
            if shares[giver] < 1 {
                rich.removeLast()
                poor.append(giver)
            }
        }
    }

    /// A lottery by Zipf's law, as words of a language have it: the first place is drawn twice as often as the second
    /// and three times as often as the third.
    package init(zipf count: Int) { self.init(weights: (0..<count).map { 1 / Double($0 + 1) }) }

    package var count: Int { kept.count }

    package func draw(_ random: inout SplitMix) -> Int {
        let (place, rest) = random.next().multipliedFullWidth(by: UInt64(kept.count))
        return UInt32(rest >> 32) <= kept[Int(place)] ? Int(place) : Int(other[Int(place)])
    }
}
