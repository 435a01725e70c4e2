import Bytes
import Foundation
import Record
import Wire

/// A host that gives others wrong rows, for tests: where the environment has `FORME_TEST_WRONG_ROWS`, one bit of the
/// coordinates is flipped in one row of so many.
struct WrongRows {
    private let share = ProcessInfo.processInfo.environment["FORME_TEST_WRONG_ROWS"].flatMap { Int($0) }
    private var random = SystemRandomNumberGenerator()

    mutating func mar(_ row: inout MadeRow) {
        guard let share, Int.random(in: 0..<max(1, share), using: &random) == 0, let spoiled = row.spoiledLayout else {
            return
        }
        row.layout = spoiled
    }
}

extension MadeRow {
    /// The same layout with one bit of its coordinates flipped, as of a faulty host; nil where that is no record.
    fileprivate var spoiledLayout: [UInt8]? {
        guard let last = layout.indices.last else { return nil }
        var bytes = layout
        bytes[last] ^= 1
        do throws(ByteError) { _ = try LayoutRecord(bytes) } catch { return nil }
        return bytes
    }
}
