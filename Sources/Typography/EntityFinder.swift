/// A finder of the parts of a text that can be acted on: links, addresses, numbers, names.
///
///     EntityFinder.find(in: "ask @ada (see https://example.com/a_(b)).")  // a mention, a url
///
/// Ranges are UTF-16 offsets, ascending, and do not overlap: the leftmost wins, and at the same place a url before an
/// e-mail address before a mention. The time is linear for any text; a chat message in which nothing can be found, as
/// most are, costs about 20 ns.
package enum EntityFinder {
    package static func find(in utf16: UnsafeBufferPointer<UInt16>, into entities: inout [Entity]) {
        guard unsafe EntityTriggers.mayBe(in: utf16) else { return }
        unsafe walk(utf16, into: &entities)
    }

    /// Finds entities in a text known to be ASCII, whose bytes are its UTF-16 units.
    package static func find(inASCII bytes: UnsafeBufferPointer<UInt8>, into entities: inout [Entity]) {
        guard unsafe EntityTriggers.mayBe(in: bytes) else { return }
        unsafe withUnsafeTemporaryAllocation(of: UInt16.self, capacity: bytes.count) { units in
            for index in bytes.indices { unsafe units.initializeElement(at: index, to: UInt16(bytes[index])) }
            unsafe walk(UnsafeBufferPointer(units), into: &entities)
        }
    }

    package static func find(in text: String) -> [Entity] {
        var entities: [Entity] = []
        unsafe Array(text.utf16).withUnsafeBufferPointer { unsafe find(in: $0, into: &entities) }
        return entities
    }

    private static func walk(_ utf16: UnsafeBufferPointer<UInt16>, into entities: inout [Entity]) {
        var scanner = unsafe EntityScanner(utf16)
        while let entity = scanner.next() { entities.append(entity) }
    }
}
