import Console
import FormeClient
import FormeClientZMQ
import Foundation
import Synchronization
import Wire

/// The source of windows: the socket of a service, or a gateway over HTTP.
struct WindowSource {
    static let options = Place.options + ["http", "token"]
    static let usage = """
          --http URL           ask a gateway over HTTP, such as http://127.0.0.1:7310, and not the socket
          --token FILE         with it: the token of the reader
        """

    let client: ChatClient
    /// Says that nobody has answered yet, or throws where nobody will.
    private let tellOfWaiting: () throws -> Void
    /// Throws the reason why nobody answered this command, or let it in, where it is known.
    private let explain: @Sendable (WindowError) throws -> Void

    init(_ arguments: Arguments) throws {
        guard let address = arguments.text("http") else {
            guard arguments.text("token") == nil else { throw arguments.refusal("--token goes with --http") }
            let place = try Place(arguments)
            let endpoint = place.endpoints.fetch
            if let forbidden = Failure.forbidden(endpoint) { throw forbidden }
            let access = try place.calling(endpoint, as: "operator")
            client = ChatClient(ZMQTransport(endpoint, access: access))
            tellOfWaiting = { try place.tellOfWaiting(for: endpoint, isQuestion: true) }
            explain = { _ in
                var link = try WindowLink(endpoint, access: access)
                _ = try link.ask(.close(WindowID(1)), within: .seconds(1))
            }
            return
        }
        guard let url = URL(string: address), ["http", "https"].contains(url.scheme), url.host != nil else {
            throw arguments.refusal("--http takes a URL, such as http://127.0.0.1:7310, not '\(address)'")
        }
        let file = try arguments.text("token").map { try TokenFile($0) }
        explain = { error in
            if error == .noAnswer {
                throw Failure(
                    .unavailable, "no gateway answers at \(address); is the service running there, with --http?")
            }
            if error == .forbidden { try file?.refuseExpired() }
        }
        tellOfWaiting = { Place.sayWaiting(for: address, "is the service running there?") }
        client = ChatClient(HTTPTransport(url) { try file?.token() ?? "" })
    }

    /// Opens a window for a command, and waits until the command is done with it.
    func visit(_ opening: WindowOpening, _ body: @escaping @Sendable (OpenWindow) async throws -> Void) throws {
        let outcome = Mutex<Result<Void, any Error>>(.success(()))
        let (isAnswered, isDone) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        Task { [client] in
            do {
                let window = try await client.open(opening)
                isAnswered.signal()
                try await body(window)
                await window.close()
            } catch {
                outcome.withLock { $0 = .failure(error) }
            }
            isAnswered.signal()
            isDone.signal()
        }
        let silence = Place.silence / .seconds(1)
        if isAnswered.wait(timeout: .now() + silence) == .timedOut { try tellOfWaiting() }
        isDone.wait()
        do { try outcome.withLock { $0 }.get() } catch let error as WindowError {
            if [.unavailable, .refused].contains(error.code) { try explain(error) }
            throw Failure(error.code, error.sentence(about: opening))
        }
    }
}

extension WindowError {
    fileprivate var code: Failure.Code {
        switch self {
        case .noAnswer, .unreachable: .unavailable
        case .forbidden: .refused
        case .screen, .name: .usage
        case .draft: .refused
        case .superseded, .rowChanged, .unknownConversation, .unknownMessage, .unprepared, .busy, .closed, .unreadable:
            .failed
        }
    }

    /// A sentence with advice for the user.
    fileprivate func sentence(about opening: WindowOpening) -> String {
        switch self {
        case .noAnswer: "no gateway answers; is forme serve running with the same --data or --listen?"
        case .unreachable(let reason): "the gateway cannot be reached (\(reason)); is the service running there?"
        case .forbidden: "the gateway does not let this reader see '\(opening.conversation)'; give another token or key"
        case .busy: "the gateway is busy, or nothing was ever laid out; try again soon"
        case .unknownConversation:
            "nothing is known of '\(opening.conversation)', or its messages wait for their layouts or were deleted"
        case .unknownMessage: "no such message is in '\(opening.conversation)'"
        case .unprepared:
            "nothing can be laid out for \(opening.target.text); has the gateway the workers' style and fonts?"
        case .draft(let field, let reason): "the draft would not be accepted: \(field): \(reason)"
        case .superseded: "a newer draft came before this one had its turn"
        case .rowChanged: "the row is another by now; look again"
        case .closed: "the gateway holds the window no more; try again"
        case .unreadable(let reason):
            "the gateway answered something else (\(reason)); is its version the same as this one's?"
        case .screen, .name: "no gateway has such a window"
        }
    }
}
