import Bytes
import MessageLayout

/// Targets that are alike in some way are a *class*; classes are numbered as the targets come. A target is mostly in
/// the class of its twin, or of the target before it.
struct ClassMap: ~Copyable {
    /// The class of each target.
    private(set) var classes = Buffer<Int32>()
    /// The first target of each class.
    private(set) var firsts = Buffer<Int32>()

    var count: Int { firsts.count }

    mutating func removeAll() {
        classes.removeAll()
        firsts.removeAll()
    }

    /// Puts the next target into a class; the number after all others is a new one.
    @inline(__always)
    mutating func append(_ number: Int32) {
        if Int(number) == count { firsts.append(Int32(truncatingIfNeeded: classes.count)) }
        classes.append(number)
    }

    /// The class that the next target has most probably.
    @inline(__always)
    func expected(_ screens: Screens) -> Int32 {
        classes.count == 0 ? 0 : classes[Int(screens.likes[classes.count])]
    }
}

// In the bits of a record: flags of all targets but the first, then the classes of those in another than the expected
// one.
extension ClassMap {
    func write(to bits: inout GolombSink, _ screens: Screens) {
        var others: UInt64 = 0
        for target in 0..<classes.count where target > 0 && classes[target] != expected(of: target, screens) {
            others |= 1 &<< UInt64(truncatingIfNeeded: target &- 1)
        }
        bits.flags(~others, max(1, classes.count) &- 1)
        var known: Int32 = 1
        while others != 0 {
            let own = classes[others.trailingZeroBitCount &+ 1]
            others &= others &- 1
            bits.number(known &- own, 0)
            if own == known { known &+= 1 }
        }
    }

    /// The expected class of a target that is here already.
    @inline(__always)
    private func expected(of target: Int, _ screens: Screens) -> Int32 { classes[Int(screens.likes[target])] }

    /// Reads the targets that are not in the expected class, and their classes.
    mutating func read(_ bits: inout GolombReader, _ screens: Screens) {
        removeAll()
        let count = screens.targets.count
        if count == 0 { return }
        var reader = bits
        var others = reader.others(count &- 1)
        classes.append(repeating: -1, count: count)
        classes[0] = 0
        firsts.append(0)
        while others != 0 {
            let target = others.trailingZeroBitCount &+ 1
            others &= others &- 1
            let known = Int32(truncatingIfNeeded: firsts.count)
            let own = known &- reader.number(0, upTo: known, of: "class")
            classes[target] = own
            if own == known { firsts.append(Int32(truncatingIfNeeded: target)) }
        }
        bits = reader
    }

    /// Puts all others into the class that is expected of each.
    mutating func spread(_ screens: Screens) {
        for target in 1..<max(1, classes.count) where classes[target] < 0 {
            classes[target] = classes[Int(screens.likes[target])]
        }
    }

    /// The class of one target, whether others were spread or not.
    func number(of target: Int, _ screens: Screens) -> Int32 {
        var like = target
        while classes[like] < 0 { like = Int(screens.likes[like]) }
        return classes[like]
    }
}
