package import Bytes

/// The facts on which the bytes of a row depend, beside the edition and the message: the rules of the engine, the
/// versions of libraries and data, the processor, and the results of probe rows. Workers share leases and rows only
/// where all facts are equal.
package struct EngineFacts: Hashable, Sendable {
    package struct Fact: Hashable, Sendable {
        package var name: String
        package var value: String

        package init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
    }

    package var facts: [Fact]

    package init(_ facts: [Fact]) { self.facts = facts }

    package subscript(name: String) -> String? { facts.first { $0.name == name }?.value }

    /// The hash of all facts, in sixteen hexadecimal digits for people. Engines with an equal hash make equal rows
    /// of equal messages.
    package var digest: String {
        var sum = Checksum()
        for fact in facts {
            sum.add(Array(fact.name.utf8))
            sum.add(Array(fact.value.utf8))
        }
        let wide = sum.wide
        return Hexadecimal.text((0..<8).map { UInt8(truncatingIfNeeded: wide >> (56 - 8 * UInt64($0))) })
    }

    /// The facts that differ there, in words; nil where every fact that is known here is the same there.
    package func difference(from there: EngineFacts) -> String? {
        let words = facts.filter { there[$0.name] != $0.value }.map { fact in
            "\(fact.name) \(fact.value) and not \(there[fact.name] ?? "none")"
        }
        return words.isEmpty ? nil : words.joined(separator: ", ")
    }
}

extension EngineFacts: ByteCoded {
    package func write(to writer: inout ByteWriter) { writer.list(facts) }
    package init(from reader: inout ByteReader) throws(ByteError) {
        facts = try reader.list(atMost: Limits.engineFacts)
    }
}

extension EngineFacts.Fact: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.text(name)
        writer.text(value)
    }
    package init(from reader: inout ByteReader) throws(ByteError) {
        name = try reader.text(atMost: Limits.name, of: "fact")
        value = try reader.text(atMost: Limits.name, of: "fact's value")
    }
}
