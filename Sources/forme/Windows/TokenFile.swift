import Console
import Foundation
import Secrets
import Synchronization

/// `--token FILE`: the token that a gateway is shown.
final class TokenFile: Sendable {
    private let path: String
    /// The token that was read when the command began, for its first connection: a pipe can be read once.
    private let first: Mutex<String?>
    /// The token that was shown last.
    private let shown: Mutex<String>

    private static let mostBytes = 16 << 10

    /// Throws where the file cannot be read, or holds no token, before anybody is asked.
    init(_ path: String) throws {
        let text = try Self.read(path)
        self.path = path
        first = Mutex(text)
        shown = Mutex(text)
    }

    /// The token, read again for every connection but the first: a token expires.
    func token() throws -> String {
        let known = first.withLock { text in
            defer { text = nil }
            return text
        }
        let text = try known ?? Self.read(path)
        shown.withLock { $0 = text }
        return text
    }

    /// Throws where the token that was shown says itself that its time is over: a gateway says only that it does not
    /// hold.
    func refuseExpired() throws {
        guard let token = Token(shown.withLock { $0 }), token.claims.expires <= .now else { return }
        throw Failure(.refused, "the token in \(path) has expired; make another one with forme token make")
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
