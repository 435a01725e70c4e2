package import MessageLayout

/// (Of the thread of thin models; `LayoutRecord` takes its place.) What the cache holds for one message: a model for every
/// target, each behind its target and its length.
///
/// A reader that wants one target skips from length to length and passes its bytes on; no model is decoded on the way.
package struct ThinRecord: Equatable, Sendable {
    package private(set) var entries: [Entry]

    package struct Entry: Equatable, Sendable {
        package var target: Target
        /// A `ThinModel`, as it will go over the wire.
        package var model: [UInt8]
    }

    package init(_ models: [(target: Target, model: ThinModel)]) {
        entries = models.map { Entry(target: $0.target, model: $0.model.encoded()) }
    }

    package func model(for target: Target) -> [UInt8]? { entries.first { $0.target == target }?.model }
}

extension ThinRecord: ByteCoded {
    package func write(to writer: inout ByteWriter) { writer.list(entries) }
    package init(from reader: inout ByteReader) throws(WireError) {
        entries = try reader.list(atMost: Limits.targets)
    }
}

extension ThinRecord.Entry: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.value(target)
        writer.block(model)
    }
    package init(from reader: inout ByteReader) throws(WireError) {
        target = try reader.value()
        model = Array(try reader.block(atMost: Limits.frame, of: "model"))
    }
}
