import Foundation
import Wire

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One stream of a gateway, and the requests that belong to it.
struct HTTPLine {
    let folder: URL
    let bearer: String

    static let type = "application/vnd.forme"
    private static let longestProblem = 4096

    func open(_ request: URLRequest) async throws -> GatewayLine {
        let (events, heard) = AsyncStream<StreamEvent>.makeStream()
        let session = URLSession(
            configuration: .ephemeral, delegate: StreamDelegate(heard), delegateQueue: nil)
        let task = session.dataTask(with: request)
        let close: @Sendable () -> Void = { session.invalidateAndCancel() }
        return try await withTaskCancellationHandler {
            task.resume()
            var iterator = events.makeAsyncIterator()
            do {
                guard case .head(let status, let name)? = await iterator.next() else { throw WindowError.noAnswer }
                guard status == 200 else {
                    var problem = Data()
                    while status == 404, problem.count < Self.longestProblem,
                        case .bytes(let bytes)? = await iterator.next()
                    {
                        problem += bytes
                    }
                    throw WindowError(status: status, problem: problem)
                }
                return GatewayLine(
                    name: name, frames: Self.frames(events, close), send: { try await say($0, to: name) },
                    close: close)
            } catch {
                close()
                throw error
            }
        } onCancel: {
            close()
        }
    }

    /// The stream behind the head, cut into frames. A piece of a frame is a sign of life: over a slow network a window
    /// takes longer than a line may be silent.
    static func frames(
        _ events: AsyncStream<StreamEvent>, _ close: @escaping @Sendable () -> Void
    ) -> AsyncThrowingStream<[UInt8], any Error> {
        let (frames, told) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
        let reader = Task {
            var splitter = FrameSplitter()
            do {
                for await case .bytes(let bytes) in events {
                    told.yield([])
                    splitter.add(bytes)
                    while let frame = try splitter.next() { told.yield(frame) }
                }
                told.finish()
            } catch {
                told.finish(throwing: error)
            }
        }
        told.onTermination = { _ in
            reader.cancel()
            close()
        }
        return frames
    }

    private func say(_ frame: [UInt8], to name: String) async throws {
        guard let url = URL(string: "\(folder.absoluteString)/streams/\(name)") else {
            throw WindowError.unreadable("a stream that is called \(name)")
        }
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.httpBody = Data(frame)
        request.setValue(Self.type, forHTTPHeaderField: "Content-Type")
        request.authorize(bearer)
        let (_, response) = try await URLSession.shared.data(for: request)
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        guard 200..<300 ~= status else { throw WindowError(status: status) }
    }
}

/// The events of a stream, in order.
enum StreamEvent: Sendable {
    case head(status: Int, name: String)
    case bytes(Data)
}

/// Hears the events of one stream from URLSession. Requests beside the stream go through another session.
private final class StreamDelegate: NSObject, URLSessionDataDelegate, Sendable {
    private let heard: AsyncStream<StreamEvent>.Continuation

    init(_ heard: AsyncStream<StreamEvent>.Continuation) { self.heard = heard }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        let http = response as? HTTPURLResponse
        heard.yield(
            .head(status: http?.statusCode ?? 0, name: http?.value(forHTTPHeaderField: "Forme-Stream") ?? ""))
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        heard.yield(.bytes(data))
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        heard.finish()
    }
}

extension WindowError {
    /// - Parameter problem: the body of the answer: with the status 404 it says what there is not.
    init(status: Int, problem: Data = Data()) {
        self =
            switch status {
            case 401, 403: .forbidden
            case 404: Self.absence(problem)
            case 429, 503: .busy
            default: .unreachable("HTTP \(status)")
            }
    }

    private struct Problem: Decodable {
        var because: String?
    }

    /// The refusal by the name that the gateway gives it; without one, it is about the conversation.
    private static func absence(_ problem: Data) -> WindowError {
        let name = (try? JSONDecoder().decode(Problem.self, from: problem))?.because
        return WindowRefusal.allCases.first { "\($0)" == name }.map { WindowError($0) } ?? .unknownConversation
    }
}
