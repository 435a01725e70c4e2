import Foundation

/// Says to the processes of a service what their clock on the wall shows: the time, and so many seconds more. They look whenever
/// they ask for the time, so the clock jumps under all of them at once.
struct WallClockFile {
    private let path: String

    /// As `Storage.WallClock` knows it.
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
