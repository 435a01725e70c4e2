import Foundation

/// A file that tells the processes of a service how many seconds to add to the time of their wall clock. They read it
/// whenever they ask for the time, so the clock jumps for all of them at once.
struct WallClockFile {
    private let path: String

    /// The variable with the path, which `Storage.WallClock` reads.
    private static let variable = "FORME_TEST_CLOCK"

    init(_ path: String) throws {
        self.path = path
        try jump(to: 0)
    }

    var environment: [String: String] { [Self.variable: path] }

    func jump(to seconds: Int) throws {
        try "\(seconds)\n".write(toFile: path, atomically: true, encoding: .utf8)
    }
}
