import HTTP
import Names
import Wire

/// A stream as its reader opened it or took it up last, and the moment that each of its windows has reached there.
struct WindowStream {
    let name: StreamName
    let form: StreamForm
    /// The conversation of the request, and the window of its query.
    let conversation: ConversationID
    let window: WindowID
    /// The rights of its reader, and the subject as whom it came.
    let bearer: Grant
    /// The open request; nil while its reader is away.
    var request: Request.ID?
    /// Whether a word for it is being written: those that follow wait.
    var isWaiting = false
    /// The word that it is told first, until it was told; and the one with which it ends.
    var first: ToldWord?
    var last: ToldWord?
    var heardAt: ContinuousClock.Instant
    /// Whether anything was told after its first window: only then is there something to come back to.
    var wasTold: Bool
    private var cursors: [WindowID: WindowCursor]

    /// - Parameter mark: the mark at which its reader has left off; nil for a new one.
    init(
        _ name: StreamName, _ opening: WindowOpening, for bearer: Grant, _ request: Request, after mark: EventMark?,
        at now: ContinuousClock.Instant
    ) {
        (self.name, self.bearer, heardAt) = (name, bearer, now)
        (conversation, window) = (opening.conversation, opening.window)
        (self.request, form) = (request.id, StreamForm(request))
        (wasTold, cursors) = (mark != nil, mark?.cursors ?? [:])
    }

    /// The bytes of a word for its reader.
    /// - Parameter isOpen: whether a window is still there.
    mutating func pieces(_ word: ToldWord, where isOpen: (WindowID) -> Bool) -> [[UInt8]] {
        guard let reached = word.word.reached, form == .events else { return form.pieces(word, mark: nil) }
        cursors[reached.window] = reached.cursor
        cursors = cursors.filter { isOpen($0.key) }
        return form.pieces(word, mark: EventMark(stream: name, cursors: cursors))
    }
}
