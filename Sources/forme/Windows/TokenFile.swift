import Console
import Foundation
import Synchronization

/// `--token FILE`: the token that a gateway is shown.
final class TokenFile: Sendable {
    private let path: String
    /// The token that was read when the command began, for its first connection: a pipe can be read once.
    private let first: Mutex<String?>

    private static let mostBytes = 16 << 10

    /// Throws where the file cannot be read, or holds no token, before anybody is asked.
    init(_ path: String) throws {
        self.path = path
        first = Mutex(try Self.read(path))
    }

    /// The token, read again for every connection but the first: a token expires.
    func token() throws -> String {
        let known = first.withLock { text in
            defer { text = nil }
            return text
        }
        return try known ?? Self.read(path)
    }

    private static func read(_ path: String) throws -> String {
        let bytes: Data
        do {
            let file = try FileHandle(forReadingFrom: URL(filePath: path))
            defer { try? file.close() }
            bytes = try file.read(upToCount: mostBytes) ?? Data()
        } catch {
            throw Failure(.inputOutput, "the token file \(path) cannot be read; check --token, and who may read it")
        }
        let text = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        // A field of HTTP takes one word of printable letters.
        guard !text.isEmpty, bytes.count < mostBytes, text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
            throw Failure(
                .inputOutput,
                "\(path) holds no token; give --token a file with one line, as forme token make prints it")
        }
        return text
    }
}
