import Console
import Foundation
import Storage

extension FileManager {
    func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return unsafe fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }
}

/// The standard input of a command.
enum StandardInput {
    /// Refuses a folder, which cannot be read and says nothing.
    static func refuseFolder(insteadOf wanted: String) throws(Failure) {
        guard !FileManager.default.isFolder("/dev/stdin") else {
            throw Failure(.inputOutput, "standard input is a folder; give it \(wanted)")
        }
    }
}

extension Failure {
    /// Runs a command that reads files by itself: an absent file is reported as a file that cannot be read, and not
    /// as a service that cannot be reached.
    static func ofFiles<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch StorageError.absent(let path) {
            throw Failure(.inputOutput, "\(path) does not exist; check the path")
        }
    }
}
