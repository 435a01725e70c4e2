import Wire

/// The reason why there is no window, or no answer.
public enum WindowError: Error, Hashable, Sendable {
    /// No answer came in time; perhaps there is no gateway.
    case noAnswer
    /// The gateway does not know the bearer, or does not admit it here: another token is needed.
    case forbidden
    case unknownConversation
    case unknownMessage
    /// Nothing is laid out for such a screen, nor can it be now.
    case unprepared
    /// A draft would not be accepted: the field, and what is wrong with it.
    case draft(field: String, reason: String)
    /// A newer draft came for the same window before this one had its turn.
    case superseded
    /// The row that was asked about is another by now.
    case rowChanged
    /// The gateway has too many questions to answer.
    case busy
    /// The window was closed, or opened afresh before there was an answer.
    case closed
    /// No screen has such a size.
    case screen(Screen)
    /// No conversation, message or sender is called so: names have 1 to 255 bytes.
    case name(String)
    /// The bytes that came are no word of a gateway: its version may be another.
    case unreadable(String)
    case unreachable(String)
}

extension WindowError {
    init(_ refusal: WindowRefusal) {
        self =
            switch refusal {
            case .busy: .busy
            case .unknownWindow, .resync: .closed
            case .unknownConversation: .unknownConversation
            case .unknownMessage: .unknownMessage
            case .unprepared: .unprepared
            case .unauthorized: .forbidden
            }
    }

    init(_ rejection: DraftRejection) {
        self =
            switch rejection {
            case .superseded: .superseded
            case .forbidden: .forbidden
            case .invalid(let fault): .draft(field: fault.field, reason: fault.reason)
            }
    }

    /// Whether trying again is of no use.
    var isFinal: Bool {
        switch self {
        case .forbidden, .unknownConversation, .unknownMessage, .unprepared, .draft, .superseded, .rowChanged, .screen,
            .name,
            .closed:
            true
        case .noAnswer, .busy, .unreadable, .unreachable: false
        }
    }
}
