import Console
import Foundation

/// The file of a reader's token, which is read again for every connection: a token expires.
struct TokenFile {
    private let path: String?

    /// Refuses one that is not there, rather than have a gateway seem away.
    init(_ arguments: Arguments) throws {
        path = arguments.text("token")
        guard let path else { return }
        guard FileManager.default.isReadableFile(atPath: path), !FileManager.default.isFolder(path) else {
            throw Failure(.inputOutput, "\(path) cannot be read; name the file of a token with --token")
        }
    }

    /// Empty where none is given.
    func read() throws -> String {
        guard let path else { return "" }
        return try String(contentsOfFile: path, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
