package import MessageLayout
import Typography
package import Wire

extension Target {
    /// Whether people hold such screens, from watches to the widest windows: for others nothing is laid out ahead,
    /// but by hand.
    package var mayBePrepared: Bool {
        (Fixed.points(160).raw...Fixed.points(1600).raw).contains(width.raw)
            && (1000...4000).contains(scale.thousandths) && (50...310).contains(textScale.percent)
    }
}

/// The readers' demand for screens that no style prepares, and the choice of those that are added to the prepared ones.
///
/// A request counts half as much after each *half-life*. A screen is added when enough readers asked for it, while
/// there is a place. After that it takes the place of the one that is wanted least when it is wanted twice as much,
/// once in a half-life at most: for each, all rows that are there are laid out once more. A screen that an operator
/// adds stays.
package struct TargetDemand: Equatable, Sendable {
    /// The added screens, in the order in which records have them.
    package private(set) var added: [AddedTarget]
    /// The screens that were asked for and not added, most wanted first when they are settled.
    package private(set) var candidates: [WantedTarget] = []
    private var halvedAt: Moment
    private var replacedAt: Moment?

    package struct Limits: Equatable, Sendable {
        /// The most screens that are added because they were asked for; 0 where none is to be added by itself.
        package var targets = 4
        /// The number of readers that ask for a screen before it is added.
        package var asksBefore = 20
        package var halfLife: Duration = .seconds(3600)
        package var candidates = 64

        package init() {}
    }

    package init(_ added: [AddedTarget] = [], at now: Moment = .start) {
        self.added = added.sorted { $0.target.precedes($1.target) }
        halvedAt = now
    }

    package var targets: [Target] { added.map(\.target) }

    /// - Parameter prepared: the screens that the style has anyway, which are passed over.
    package mutating func count(_ wanted: [WantedTarget], besides prepared: [Target], _ limits: Limits) {
        for one in wanted where one.target.mayBePrepared && !prepared.contains(one.target) {
            if let place = added.firstIndex(where: { $0.target == one.target }) {
                added[place].demand = sum(added[place].demand, one.times)
            } else {
                countCandidate(one, limits)
            }
        }
    }

    private mutating func countCandidate(_ one: WantedTarget, _ limits: Limits) {
        if let place = candidates.firstIndex(where: { $0.target == one.target }) {
            candidates[place].times = sum(candidates[place].times, one.times)
        } else if candidates.count < limits.candidates {
            candidates.append(one)
        } else if let least = candidates.indices.min(by: { candidates[$0].times < candidates[$1].times }),
            candidates[least].times <= one.times
        {
            // Of many that are asked for once, the newest are known.
            candidates[least] = one
        }
    }

    private func sum(_ a: Int, _ b: Int) -> Int { min(a + b, WantedTarget.mostTimes) }

    /// Decides which screens are added now.
    /// - Returns: whether others are than before, or their demand is to be recorded again.
    package mutating func settle(at now: Moment, _ limits: Limits) -> Bool {
        let before = targets
        var isOlder = false
        while halvedAt + limits.halfLife <= now {
            halvedAt = halvedAt + limits.halfLife
            isOlder = !added.isEmpty
            halve()
        }
        let most = max(0, min(limits.targets, Wire.Limits.addedTargets - added.count(where: \.isByHand)))
        while let least, added.count(where: { !$0.isByHand }) > most { takeOff(least) }
        candidates.sort { $0.times > $1.times }
        while let first = candidates.first, first.times >= limits.asksBefore, most > 0 {
            if added.count(where: { !$0.isByHand }) == most {
                guard let least, first.times > 2 * added[least].demand,
                    replacedAt.map({ $0 + limits.halfLife <= now }) ?? true
                else { break }
                takeOff(least)
                replacedAt = now
            }
            candidates.removeAll { $0.target == first.target }
            put(AddedTarget(first.target, demand: first.times))
        }
        return isOlder || targets != before
    }

    private mutating func halve() {
        for place in added.indices { added[place].demand /= 2 }
        for place in candidates.indices { candidates[place].times /= 2 }
        candidates.removeAll { $0.times == 0 }
    }

    /// The place of the one that is wanted least, of those that no operator added.
    private var least: Int? {
        added.indices.filter { !added[$0].isByHand }.min { added[$0].demand < added[$1].demand }
    }

    private mutating func takeOff(_ place: Int) {
        let gone = added.remove(at: place)
        if gone.demand > 0 { candidates.append(WantedTarget(gone.target, times: gone.demand)) }
    }

    private mutating func put(_ target: AddedTarget) {
        added.append(target)
        added.sort { $0.target.precedes($1.target) }
    }

    /// Adds a screen by hand; false where there is no place.
    package mutating func add(_ target: Target) -> Bool {
        if let place = added.firstIndex(where: { $0.target == target }) {
            added[place].isByHand = true
            return true
        }
        guard added.count < Wire.Limits.addedTargets else { return false }
        let demand = candidates.first { $0.target == target }?.times ?? 0
        candidates.removeAll { $0.target == target }
        put(AddedTarget(target, demand: demand, isByHand: true))
        return true
    }

    /// Takes a screen off; false where it was not added. Rows that have it keep it; when it is asked for often again,
    /// it comes back.
    package mutating func forget(_ target: Target) -> Bool {
        let count = added.count
        added.removeAll { $0.target == target }
        candidates.removeAll { $0.target == target }
        return added.count < count
    }
}
