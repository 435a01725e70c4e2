package import Bytes

/// The figures since the last report: the layouts that were made, by kind of message, and the hits of caches that
/// spare a layout.
package struct LayoutFigures: Equatable, Sendable {
    package struct Kind: Equatable, Sendable {
        package var name: String
        package var messages: UInt64
        /// Processor time of all of their layouts.
        package var nanoseconds: UInt64

        package init(_ name: String, messages: UInt64, nanoseconds: UInt64) {
            (self.name, self.messages, self.nanoseconds) = (name, messages, nanoseconds)
        }
    }

    /// Caches that are looked at before something is made.
    package enum Layer: Int, CaseIterable, Sendable {
        /// The row that a message has: it stays where its key is still that of the message.
        case rows
        /// Rows of the edition beside this one.
        case editions
        /// Pieces of texts that a shaper has measured before.
        case words
    }

    /// Kinds in the order in which they came.
    package private(set) var kinds: [Kind] = []
    private var layers = [CacheTally](repeating: CacheTally(), count: Layer.allCases.count)

    /// The number of kinds that are told apart: their names come from styles, and from other hosts.
    package static let mostKinds = 256
    package static let longestName = 64
    private static let otherKinds = "other"

    package init() {}

    package var isEmpty: Bool { self == LayoutFigures() }

    package subscript(layer: Layer) -> CacheTally {
        get { layers[layer.rawValue] }
        set { layers[layer.rawValue] = newValue }
    }

    package mutating func add(_ kind: Kind) {
        if let place = kinds.firstIndex(where: { $0.name == kind.name }) {
            kinds[place].messages.add(kind.messages)
            kinds[place].nanoseconds.add(kind.nanoseconds)
        } else if kinds.count < Self.mostKinds - 1 || kind.name == Self.otherKinds {
            kinds.append(kind)
        } else {
            var other = kind
            other.name = Self.otherKinds
            add(other)
        }
    }

    package static func += (figures: inout LayoutFigures, more: LayoutFigures) {
        for kind in more.kinds { figures.add(kind) }
        for layer in Layer.allCases {
            figures[layer].hits.add(more[layer].hits)
            figures[layer].misses.add(more[layer].misses)
        }
    }
}

extension UInt64 {
    /// Adds with saturation: a figure from another host may be any number.
    fileprivate mutating func add(_ more: UInt64) {
        let (sum, isOver) = addingReportingOverflow(more)
        self = isOver ? .max : sum
    }
}

extension LayoutFigures.Layer {
    package var word: String {
        switch self {
        case .rows: "rows"
        case .editions: "editions"
        case .words: "words"
        }
    }
}

extension LayoutFigures: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.list(kinds)
        for layer in layers {
            writer.integer(layer.hits)
            writer.integer(layer.misses)
        }
    }
    package init(from reader: inout ByteReader) throws(ByteError) {
        for kind in try reader.list(of: Kind.self, atMost: Self.mostKinds) { add(kind) }
        for layer in Layer.allCases {
            self[layer] = CacheTally(hits: try reader.integer(), misses: try reader.integer())
        }
    }
}

extension LayoutFigures.Kind: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.text(name)
        writer.integer(messages)
        writer.integer(nanoseconds)
    }
    package init(from reader: inout ByteReader) throws(ByteError) {
        name = try reader.text(atMost: LayoutFigures.longestName, of: "kind")
        messages = try reader.integer()
        nanoseconds = try reader.integer()
    }
}
