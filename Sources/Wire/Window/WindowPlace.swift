import MessageLayout
package import Names
package import Rows

/// The number of one of the windows that a client holds, chosen by the client.
package struct WindowID: Hashable, Comparable, Sendable {
    package var number: UInt32
    package init(_ number: UInt32) { self.number = number }
    package static func < (a: WindowID, b: WindowID) -> Bool { a.number < b.number }
}

/// The place around which a window opens.
package enum WindowPlace: Hashable, Sendable {
    /// The end of the conversation.
    case newest
    /// The first row that the reader has not read; the newest if there is none.
    case unread
    case message(MessageID)
    /// The first message at or after a moment.
    case date(Timestamp)
    case y(Int64)
}

/// A side of a window: that of older rows, or that of newer ones.
package enum WindowSide: UInt8, CaseIterable, Sendable {
    case older = 1
    case newer
}

/// The reader of a window: all of a `Viewer`, with names in the place of numbers.
package struct WindowReader: Hashable, Sendable {
    /// The reader's own id as a sender; nil for an observer.
    package var own: SenderID?
    package var unreadFrom: Int64?
    package var zone: TimeZoneRule
    package var clock: ClockFormat
    package var isDirect: Bool
    package var isSelecting: Bool

    package init(
        own: SenderID? = nil, unreadFrom: Int64? = nil, zone: TimeZoneRule = .universal, clock: ClockFormat = .hours24,
        isDirect: Bool = false, isSelecting: Bool = false
    ) {
        (self.own, self.unreadFrom, self.zone, self.clock) = (own, unreadFrom, zone, clock)
        (self.isDirect, self.isSelecting) = (isDirect, isSelecting)
    }

    package var viewer: Viewer {
        Viewer(
            unreadFrom: unreadFrom, zone: zone, clock: clock, conversation: isDirect ? .direct : .group,
            isSelecting: isSelecting)
    }
}

/// A place that stays where it is on the screen while rows around it change.
package struct WindowAnchor: Hashable, Sendable {
    package var row: MessageNumber
    package var edge: Edge
    /// The distance from the edge, downward.
    package var offset: Int32

    /// An edge of the content of a row: date lines and gaps come and go without moving it.
    package enum Edge: UInt8, CaseIterable, Sendable {
        case top = 1
        case bottom
    }

    package init(row: MessageNumber, edge: Edge = .bottom, offset: Int32 = 0) {
        (self.row, self.edge, self.offset) = (row, edge, offset)
    }
}
