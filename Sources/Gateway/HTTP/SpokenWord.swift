import Bytes
import HTTP
import JSON
import Names
import Wire

/// A word of a stream's reader about its windows: a frame, or JSON.
struct SpokenWord {
    let word: ClientWord
    /// The id that the answer in the stream has, where the stream is one of frames.
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

    /// The conversation that it would bring into the stream; nil where it is about a window that is there.
    var conversation: ConversationID? {
        switch word {
        case .open(let opening): opening.conversation
        case .prewarm(let conversation, _): conversation
        case .page, .heights, .rows, .lines, .locate, .position, .changes, .resize, .adjust, .hold, .busy, .read,
            .preview, .ranges, .close:
            nil
        }
    }

    /// The word as said by the subject of a token, which reads as nobody else.
    func word(as subject: SenderID?) -> ClientWord {
        guard case .open(var opening) = word, let subject else { return word }
        opening.reader.own = subject
        return .open(opening)
    }
}
