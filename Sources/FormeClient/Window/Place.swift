public import Foundation
import MessageLayout
import Names
import Wire

/// Around what a window is opened.
public enum Place: Hashable, Sendable {
    /// The end of the conversation.
    case newest
    /// The first message that was not read; the newest if there is none.
    case unread
    /// By the id of its sender or of its backend.
    case message(String)
    /// The first message at or after a moment.
    case date(Date)
    /// In device pixels from the conversation's origin.
    case y(Int64)
}

extension Place {
    var wire: WindowPlace {
        get throws(WindowError) {
            switch self {
            case .newest: .newest
            case .unread: .unread
            case .message(let message): .message(try named(message))
            case .date(let date): .date(Timestamp(milliseconds: Int64((date.timeIntervalSince1970 * 1000).rounded())))
            case .y(let y): .y(y)
            }
        }
    }
}

/// From a window to rows that are not in it.
public enum Side: Hashable, Sendable {
    case older, newer
}
