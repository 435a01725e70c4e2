import Console
import FormeClient
import Foundation
import JSON
import Synchronization

struct ListCommand: Command {
    let name = "list"
    let summary = "lists conversations, those first in which something was said last"
    let usage = """
        usage: forme list --http URL [OPTIONS]

          --http URL           of the gateway, such as http://127.0.0.1:7310
          --token FILE         the token of the reader: only conversations that it covers are listed
          --as NAME            whose unread messages are counted, where no token says it
          --count N            at most so many conversations (default: 50)
          --json               as the gateway says it, a line for each
        """

    func run(_ words: [String]) throws {
        let arguments = try Arguments(
            words, of: "list", options: ["http", "token", "as", "count"], switches: ["json"])
        guard let address = arguments.text("http"), let base = URL(string: address),
            ["http", "https"].contains(base.scheme), base.host != nil
        else { throw arguments.refusal("--http is missing, or is no URL such as http://127.0.0.1:7310") }
        let count = try arguments.integer("count", in: 1...1_000_000, default: 50)
        let file = try arguments.text("token").map { try TokenFile($0) }
        let transport = HTTPTransport(base) { try file?.token() ?? "" }
        let source = ListSource(transport: transport, reader: arguments.text("as"), file: file)
        var (left, next): (Int, String?) = (count, nil)
        repeat {
            let page = try source.page(of: min(left, 256), after: next)
            for line in page.object?["conversations"]?.array ?? [] {
                print(arguments.has("json") ? line.text : line.row)
                left -= 1
            }
            next = page.object?["next"]?.string
        } while next != nil && left > 0
    }
}

/// Pages of a list, from a gateway.
private struct ListSource: Sendable {
    let transport: HTTPTransport
    let reader: String?
    let file: TokenFile?

    /// The number of times that a gateway is asked, once a second, while it does not have the list in memory yet.
    private static let attempts = 20

    func page(of count: Int, after place: String?) throws -> JSONValue {
        for attempt in 1..<Self.attempts {
            do {
                return try ask(count, place)
            } catch let error as Failure where error.code == .unavailable {
                if attempt == 2 { StandardError.write("waiting: \(error.sentence)\n") }
                _ = DispatchSemaphore(value: 0).wait(timeout: .now() + 1)
            }
        }
        return try ask(count, place)
    }

    private func ask(_ count: Int, _ place: String?) throws -> JSONValue {
        let outcome = Mutex<Result<Data, any Error>?>(nil)
        let isDone = DispatchSemaphore(value: 0)
        Task { [transport, reader] in
            do {
                let page = try await transport.conversations(count: count, after: place, for: reader)
                outcome.withLock { $0 = .success(page) }
            } catch {
                outcome.withLock { $0 = .failure(error) }
            }
            isDone.signal()
        }
        isDone.wait()
        do {
            return try JSONValue.parse(Array(try outcome.withLock { $0! }.get()))
        } catch let error as WindowError {
            if error == .forbidden { try file?.refuseExpired() }
            throw Self.failure(error)
        } catch let error as URLError {
            throw Failure(.unavailable, "the gateway cannot be reached (\(error.localizedDescription))")
        }
    }

    private static func failure(_ error: WindowError) -> Failure {
        switch error {
        case .forbidden: Failure(.refused, "the gateway does not let this reader in; give another token")
        case .busy, .noAnswer: Failure(.unavailable, "the gateway is busy; try again soon")
        case .unknownConversation: Failure(.failed, "the gateway does not see the journal, and has no list")
        case .unreachable(let reason):
            Failure(.unavailable, "the gateway cannot be reached (\(reason)); is the service running there?")
        case .unknownMessage, .unprepared, .draft, .superseded, .rowChanged, .closed, .screen, .name, .unreadable:
            Failure(.failed, "the gateway answers something else (\(error)); is its version the same as this one's?")
        }
    }
}

extension JSONValue {
    fileprivate var text: String {
        var json = JSONWriter()
        json.value(self)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    /// One conversation, as people read it.
    fileprivate var row: String {
        let name = object?["conversation"]?.string ?? ""
        let title = object?["title"]?.string.map { "\($0) (\(name))" } ?? name
        let unread = object?["unread"]?.number?.integer.map { $0 == 0 ? "" : "  \($0) unread" } ?? ""
        guard let last = object?["last"]?.object else { return (title + unread).withoutControls }
        let words = last["words"]?.string ?? last["kind"]?.string.map { "(\($0))" } ?? ""
        let line = "\(title)\(unread)  \(last["sender"]?.string ?? ""): \(words)"
        return line.withoutControls
    }
}

extension String {
    /// The text without control characters: the words of others may not steer a terminal.
    fileprivate var withoutControls: String {
        var scalars = UnicodeScalarView()
        for scalar in unicodeScalars { scalars.append(scalar.properties.generalCategory == .control ? " " : scalar) }
        return String(scalars)
    }
}
