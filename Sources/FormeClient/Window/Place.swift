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
            case .date(let date): .date(Timestamp(nearest: date))
            case .y(let y): .y(y)
            }
        }
    }
}

extension Timestamp {
    /// The moment of a date; the first or the last that can be told, for a date beyond every calendar.
    fileprivate init(nearest date: Date) {
        let (first, last) = (Limits.milliseconds.lowerBound, Limits.milliseconds.upperBound)
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        self.init(milliseconds: Int64(max(Double(first), min(milliseconds, Double(last)))))
    }
}

/// The direction from a window to rows that are not in it.
public enum Side: Hashable, Sendable {
    case older, newer
}
