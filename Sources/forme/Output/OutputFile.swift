import Console
import Foundation

/// A file that a command was told to write.
enum OutputFile {
    /// `-` is standard output.
    static func write(_ text: String, to path: String) throws {
        guard path != "-" else { return print(text) }
        do {
            try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
        } catch {
            throw Failure(.inputOutput, "\(path) cannot be written; check its folder, its owner and the disk")
        }
    }
}
