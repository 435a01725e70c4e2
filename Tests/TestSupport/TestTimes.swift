import Foundation
import Testing

/// The times of tests that stand in line before they begin: a line each in the file that `FORME_TEST_TIMES` names
/// (Tests/Times/summary.py).
enum TestTimes {
    private static let path = ProcessInfo.processInfo.environment["FORME_TEST_TIMES"]

    static func note(_ test: Test, _ time: Duration) {
        guard let path else { return }
        let place = "\(test.sourceLocation.fileID):\(test.sourceLocation.line)"
        let bytes = Array("\(place) \(time / .seconds(1))\n".utf8)
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard file >= 0 else { return }
        defer { close(file) }
        // One call writes the whole line, as tests end side by side.
        _ = unsafe write(file, bytes, bytes.count)
    }
}
