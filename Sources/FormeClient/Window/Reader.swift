import Bytes
public import Foundation
import MessageLayout
import Names
import Rows
import Wire

/// The person who reads: the sender of the reader's own messages, the first unread one, and the reader's days and
/// hours.
public struct Reader: Hashable, Sendable {
    /// The sender whose messages are the reader's own; empty for a reader who only watches.
    public var own: String
    public var unread: Unread
    public var timeZone: TimeZone
    public var clock: Clock
    /// Whether this is a conversation of two, in which names are left out.
    public var isDirect: Bool
    /// Whether rows have room for marks of a selection.
    public var isSelecting: Bool

    public enum Unread: Hashable, Sendable {
        case nothing
        /// The first message that was not read, by its order.
        case from(order: Int64)
    }

    public enum Clock: Hashable, Sendable {
        case hours24, hours12
    }

    public init(
        own: String = "", unread: Unread = .nothing, timeZone: TimeZone = .gmt, clock: Clock = .hours24,
        isDirect: Bool = false, isSelecting: Bool = false
    ) {
        (self.own, self.unread, self.timeZone, self.clock) = (own, unread, timeZone, clock)
        (self.isDirect, self.isSelecting) = (isDirect, isSelecting)
    }

    public static let observer = Reader()
}

extension Reader {
    var wire: WindowReader {
        get throws(WindowError) {
            WindowReader(
                own: own.isEmpty ? nil : try named(own), unreadFrom: unread.order, zone: TimeZoneRule(timeZone),
                clock: clock == .hours24 ? .hours24 : .hours12, isDirect: isDirect, isSelecting: isSelecting)
        }
    }
}

extension Reader.Unread {
    var order: Int64? {
        switch self {
        case .nothing: nil
        case .from(let order): order
        }
    }
}

/// Checks a name before it is sent to a gateway.
func named<Subject>(_ text: String) throws(WindowError) -> Name<Subject> {
    do throws(ByteError) { return try Name(text) } catch { throw .name(text) }
}

extension TimeZoneRule {
    /// The rule of a zone from the turn of the century until some years from now, for the times of conversations.
    fileprivate init(_ zone: TimeZone) {
        let start = Date(timeIntervalSince1970: 946_684_800)
        let end = Date(timeIntervalSinceNow: 5 * 366 * 86_400)
        var transitions: [Transition] = []
        var last = start
        while transitions.count < Limits.transitions,
            let next = zone.nextDaylightSavingTimeTransition(after: last), next < end, next > last
        {
            transitions.append(
                Transition(
                    fromSeconds: Int64(next.timeIntervalSince1970),
                    offsetSeconds: Int32(zone.secondsFromGMT(for: next + 1))))
            last = next
        }
        self.init(initialOffset: Int32(zone.secondsFromGMT(for: start)), transitions: transitions)
    }
}
