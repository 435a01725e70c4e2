public import Foundation
import MessageLayout
import Names
import Wire

/// The place that a window is opened around.
public enum Place: Hashable, Sendable {
    /// The end of the conversation.
    case newest
    /// The first message that was not read; the newest if there is none.
    case unread
    /// A message, by the id of its sender or of its backend.
    case message(String)
    /// The first message at or after a moment.
    case date(Date)
    /// A distance from the conversation's origin, in device pixels.
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

/// The direction from a window to rows that are not in it.
public enum Side: Hashable, Sendable {
    case older, newer
}
