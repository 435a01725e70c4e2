/// One event of a flood, as the ledger remembers it: the message and the registers that it sets, and none of its
/// content.
package struct PlannedEvent: Equatable, Sendable {
    package struct Registers: OptionSet, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        package static let body = Registers(rawValue: 1)
        package static let order = Registers(rawValue: 2)
        package static let status = Registers(rawValue: 4)
        package static let reactions = Registers(rawValue: 8)
        package static let deleted = Registers(rawValue: 16)
    }

    package var conversation: UInt32
    /// The number of the message, from 0 on over all conversations.
    package var message: UInt32
    package var revision: UInt32
    package var registers: Registers
    /// The order that it sets, if it sets one.
    package var order: Int64
    /// Whether the same bytes were sent before.
    package var isRepetition = false

    package init(conversation: UInt32, message: UInt32, revision: UInt32, registers: Registers, order: Int64 = 0) {
        (self.conversation, self.message, self.revision) = (conversation, message, revision)
        (self.registers, self.order) = (registers, order)
    }

    /// Whether readers get another layout by it. The time of a repetition's layout is unknown: it may have been there
    /// before.
    package var isLaidOut: Bool { registers.contains(.body) && !isRepetition }
}

/// The names of conversations and messages of one flood, by which it finds its own again and no others.
package struct FloodNames: Equatable, Sendable {
    package let run: String

    package init(run: String) { self.run = run }

    package func conversation(_ number: UInt32) -> String { "\(run)-c\(number)" }
    package func message(_ number: UInt32) -> String { "m\(number)" }

    /// Nil for a name that is not of this flood.
    package func conversation(named name: String) -> UInt32? {
        let prefix = "\(run)-c"
        return name.hasPrefix(prefix) ? Self.number(name.utf8.dropFirst(prefix.utf8.count)) : nil
    }

    package func message(named name: String) -> UInt32? {
        name.utf8.first == UInt8(ascii: "m") ? Self.number(name.utf8.dropFirst()) : nil
    }

    private static func number(_ digits: some Collection<UInt8>) -> UInt32? {
        guard 1...9 ~= digits.count else { return nil }
        var number: UInt32 = 0
        for digit in digits {
            guard 0x30...0x39 ~= digit else { return nil }
            number = number * 10 + UInt32(digit - 0x30)
        }
        return number
    }
}
