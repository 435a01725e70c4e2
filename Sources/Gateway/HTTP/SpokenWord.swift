import Bytes
import HTTP
import JSON
import Names
import Wire

/// What the reader of a stream says about its window: a frame, or JSON.
struct SpokenWord {
    let word: ClientWord
    /// The answer in the stream has it, where the stream is one of frames.
    let request: RequestID

    init(_ request: Request) throws(QueryFault) {
        if request.headers["Content-Type"] == WindowPages.binary {
            do throws(ByteError) {
                let framed = try Framed<ClientWord>(decoding: request.body)
                (word, self.request) = (framed.word, framed.request)
            } catch {
                throw .body(error.reason)
            }
        } else {
            do throws(JSONError) { word = try ClientWord(parsing: request.body) } catch { throw .body("\(error)") }
            self.request = .none
        }
    }

    /// A stream has one window, which it was opened with; what it says of others may be none of its business.
    func check(of conversation: ConversationID) throws(QueryFault) {
        switch word {
        case .open: throw .body("open: a stream has the window that it was opened with; ask for another stream")
        case .prewarm(let other, _):
            guard other == conversation else { throw .body("prewarm.conversation: is not that of this stream") }
        case .page, .heights, .rows, .lines, .locate, .position, .changes, .resize, .adjust, .hold, .busy, .read,
            .preview, .ranges, .close:
            guard word.window == WindowStreams.window else {
                throw .body("window: \(word.window.number) is not 1, the window of this stream")
            }
        }
    }
}
