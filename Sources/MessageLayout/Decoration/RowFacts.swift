/// What the decoration of a row, or of its neighbours, has to know about it.
package struct RowFacts: Hashable, Sendable {
    package var sender: SenderNumber
    /// Its place in the conversation: never lower than that of the row before.
    package var order: Int64
    /// When it was sent: since 1970, in universal time.
    package var milliseconds: Int64
    /// The name of its row template, which its kind declares.
    package var template: String
    /// Whether its kind takes part in series: a message does, an event line does not.
    package var joinsSeries: Bool
    package var hasFailed: Bool
    package var sizes: ContentSizes

    package init(
        sender: SenderNumber, order: Int64, milliseconds: Int64, template: String, joinsSeries: Bool = true,
        hasFailed: Bool = false, sizes: ContentSizes
    ) {
        self.sender = sender
        self.order = order
        self.milliseconds = milliseconds
        self.template = template
        self.joinsSeries = joinsSeries
        self.hasFailed = hasFailed
        self.sizes = sizes
    }
}

/// A sender, numbered by whoever holds the rows: all that decorations ask is whether two are the same.
package struct SenderNumber: Hashable, Sendable {
    package var value: UInt64
    package init(_ value: UInt64) { self.value = value }
}

/// The layouts that a record holds of one message for one target.
package enum ContentVariant: UInt8, CaseIterable, Sendable {
    case own = 0
    case other
    case otherWithName

    /// Which of so many it is: the last stands for those that are missing.
    package func place(among count: Int) -> Int { min(Int(rawValue), count - 1) }
}

/// How large the content is in each variant.
package struct ContentSizes: Hashable, Sendable {
    package var own: PixelSize
    package var other: PixelSize
    package var otherWithName: PixelSize

    package init(own: PixelSize, other: PixelSize, otherWithName: PixelSize) {
        self.own = own
        self.other = other
        self.otherWithName = otherWithName
    }

    /// Of content that looks the same in each, such as an event line.
    package init(all size: PixelSize) {
        self.init(own: size, other: size, otherWithName: size)
    }

    package subscript(variant: ContentVariant) -> PixelSize {
        switch variant {
        case .own: own
        case .other: other
        case .otherWithName: otherWithName
        }
    }
}
