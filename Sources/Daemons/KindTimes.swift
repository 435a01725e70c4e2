import Glibc
import Wire

/// Divides the processor time of a batch between the kinds of its messages, by the time that each took. To read the
/// clock of the machine takes 22 ns, twice for each message; to ask the kernel for the time of a thread takes 520,
/// once for the batch.
struct KindTimes {
    private var kinds: [(name: String, messages: UInt64, time: UInt64)] = []

    /// The time of a monotonic clock, in nanoseconds.
    static var now: UInt64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// - Parameter start: the start of its layout, which has ended.
    mutating func note(_ kind: String, from start: UInt64, to end: UInt64 = now) {
        let place: Int
        if let known = kinds.firstIndex(where: { $0.name == kind }) {
            place = known
        } else {
            place = kinds.count
            kinds.append((kind, 0, 0))
        }
        kinds[place].messages += 1
        // Each counts at least a nanosecond, so that there is something to divide by.
        kinds[place].time += max(1, end - start)
    }

    /// - Parameter nanoseconds: the processor time that the thread took for all of them.
    func add(of nanoseconds: UInt64, to figures: inout LayoutFigures) {
        let whole = Double(kinds.reduce(0) { $0 + $1.time })
        for kind in kinds {
            let share = Double(nanoseconds) * Double(kind.time) / whole
            figures.add(.init(kind.name, messages: kind.messages, nanoseconds: UInt64(share)))
        }
    }
}
