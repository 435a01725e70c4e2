import Foundation

/// A folder of a test's own, short enough in name for ipc sockets, and gone with the value.
package final class TemporaryFolder: Sendable {
    package let path: String

    /// - Parameter place: the folder in which it is made. Tests that would only wait for the disk choose one in
    /// memory.
    package init(in place: String = "/tmp") throws {
        path = "\(place)/forme-test-\(UInt32.random(in: 0...UInt32.max))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    package func file(_ name: String) -> String { path + "/" + name }
}
