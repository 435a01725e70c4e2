import Foundation
import Glibc
package import Names
import Wire

/// The wall clock, for data that is kept by its age. Nothing else depends on it: leases, waits and
/// orders go by a clock that never jumps.
///
/// Where the environment has `FORME_TEST_CLOCK`, that is the path of a file with seconds to be added, read
/// whenever the time is asked for. `forme chaos` has clocks jump that way, without touching that of the machine.
package enum WallClock {
    private static let offsetPath = unsafe getenv("FORME_TEST_CLOCK").map { unsafe String(cString: $0) }

    /// Seconds since 1970, in universal time.
    package static var seconds: Int { time(nil) + offset }

    /// Days since 1970.
    static var today: Int { seconds / 86_400 }

    package static var now: Timestamp {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(milliseconds: Int64(time.tv_sec + offset) * 1000 + Int64(time.tv_nsec / 1_000_000))
    }

    private static var offset: Int {
        guard let offsetPath, let text = try? String(contentsOfFile: offsetPath, encoding: .utf8) else { return 0 }
        return Int(text.prefix { !$0.isWhitespace }) ?? 0
    }
}
