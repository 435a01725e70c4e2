import Bytes
import MessageLayout
import Typography

/// The reach of the layouts of each target: that of the target before, if that is of its group and has the same
/// breaks, or one that is told from its twin, which is as wide at another scale.
struct ReachWalk: ~Copyable {
    private var told = Buffer<Told>()

    /// A reach as it is told. Only for targets that are asked for, the reach itself is made of it.
    // Not private: the compiler stumbles over a buffer of a type that other files cannot name.
    struct Told {
        /// The natural width, in the first target of a group.
        var natural: Int32 = 0
        var narrowest: Int32 = 0
        /// The width by which the widest row is wider than its own; 0 for unbounded.
        var more: Int32 = 0
        var isOwnWidest = true
        /// The target whose row bounds it has.
        var like: Int32
    }

    /// Whether a target may be as the one before it.
    @inline(__always)
    private static func follows(_ target: Int, _ breaks: borrowing ClassMap, _ screens: Screens) -> Bool {
        screens.groups[target] != Int32(truncatingIfNeeded: target)
            && breaks.classes[target] == breaks.classes[target &- 1]
    }

    /// A number of a twin at the scale of another target.
    private static func scaled(_ number: Int32, from twin: Int, to target: Int, _ screens: Screens) -> Int32 {
        RecordForm.scaled(number, to: screens.scale(target), from: screens.scale(twin))
    }
}

// Writing.
extension ReachWalk {
    static func write(
        _ all: [LayoutSheet.Reach], to bits: inout GolombSink, _ breaks: borrowing ClassMap, _ screens: Screens
    ) {
        for target in all.indices {
            let (own, row, twin) = (all[target], screens.rows[target], Int(screens.twins[target]))
            precondition(0 <= own.narrowest && own.narrowest <= row && row <= own.widest)
            if screens.groups[target] == Int32(target) {
                if twin >= 0 {
                    bits.signed(own.naturalWidth &- scaled(all[twin].naturalWidth, from: twin, to: target, screens), 0)
                } else {
                    bits.number(own.naturalWidth, 8)
                }
            } else {
                precondition(own.naturalWidth == all[target - 1].naturalWidth)
            }
            if follows(target, breaks, screens) {
                let isLike = own.narrowest == all[target - 1].narrowest && own.widest == all[target - 1].widest
                bits.flag(isLike)
                if isLike { continue }
            }
            if twin >= 0 {
                bits.signed(own.narrowest &- scaled(all[twin].narrowest, from: twin, to: target, screens), 0)
            } else {
                bits.number(row &- own.narrowest, 4)
            }
            bits.flag(own.widest == row)
            if own.widest != row {
                bits.number(own.widest == LayoutSheet.Reach.unbounded ? 0 : own.widest &- row, 3)
            }
        }
    }
}

// Reading.
extension ReachWalk {
    /// Reads the reaches of the first targets.
    mutating func read(_ count: Int, _ bits: inout GolombReader, _ breaks: borrowing ClassMap, _ screens: Screens) {
        var reader = bits
        told.removeAll()
        for target in 0..<count {
            let hasTwin = screens.twins[target] >= 0
            var own = Told(like: Int32(truncatingIfNeeded: target))
            if screens.groups[target] == own.like { own.natural = hasTwin ? reader.signed(0) : reader.length(8) }
            if Self.follows(target, breaks, screens) && reader.flag() {
                own.like = told[target &- 1].like
            } else {
                own.narrowest = hasTwin ? reader.signed(0) : reader.length(4)
                own.isOwnWidest = reader.flag()
                if !own.isOwnWidest { own.more = reader.length(3) }
            }
            told.append(own)
        }
        bits = reader
    }

    /// The reach of a target. Throws if the target's own row is not in it.
    func reach(of target: Int, _ screens: Screens) throws(ByteError) -> LayoutSheet.Reach {
        let (like, row) = (Int(told[target].like), screens.rows[target])
        let own = LayoutSheet.Reach(
            narrowest: narrowest(of: like, screens), widest: widest(of: like, screens),
            naturalWidth: naturalWidth(of: Int(screens.groups[target]), screens))
        guard 0...row ~= own.narrowest else { throw .outOfRange(Int64(own.narrowest), of: "narrowest") }
        guard own.widest >= row else { throw .outOfRange(Int64(own.widest), of: "widest") }
        return own
    }

    /// The natural width of the first target of a group. (Its twin comes before it, and has no twin itself.)
    private func naturalWidth(of target: Int, _ screens: Screens) -> Int32 {
        let (own, twin) = (told[target].natural, Int(screens.twins[target]))
        guard twin >= 0 else { return own }
        return own &+ Self.scaled(naturalWidth(of: Int(screens.groups[twin]), screens), from: twin, to: target, screens)
    }

    private func narrowest(of target: Int, _ screens: Screens) -> Int32 {
        let (own, twin) = (told[target].narrowest, Int(screens.twins[target]))
        guard twin >= 0 else { return screens.rows[target] &- own }
        return own &+ Self.scaled(narrowest(of: Int(told[twin].like), screens), from: twin, to: target, screens)
    }

    private func widest(of target: Int, _ screens: Screens) -> Int32 {
        let (own, row) = (told[target], screens.rows[target])
        return own.isOwnWidest ? row : own.more == 0 ? LayoutSheet.Reach.unbounded : row &+ own.more
    }
}
