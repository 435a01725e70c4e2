import Console
import Foundation
import Storage

extension FileManager {
    func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return unsafe fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }
}

extension Failure {
    /// Of a command that looks at files by itself: what is not there is a file that cannot be read, and no service that is not reached.
    static func ofFiles<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch StorageError.absent(let path) {
            throw Failure(.inputOutput, "\(path) does not exist; check the path")
        }
    }
}
