package import Bytes

/// The offer to a worker without a folder: the edition to lay out and its fonts, by name and length. The worker
/// asks for the parts that it lacks, piece by piece.
package struct EditionOffer: Equatable, Sendable {
    package var edition: EditionID
    /// The number of bytes of the edition as a folder keeps it.
    package var bytes: UInt32
    /// Each file once.
    package var fonts: [Font]

    package struct Font: Hashable, Sendable {
        package var hash: FontHash
        package var bytes: UInt32

        package init(hash: FontHash, bytes: UInt32) { (self.hash, self.bytes) = (hash, bytes) }
    }

    package init(edition: EditionID, bytes: UInt32, fonts: [Font]) {
        (self.edition, self.bytes, self.fonts) = (edition, bytes, fonts)
    }
}

/// A piece of an edition, from a place on.
package struct EditionPart: Hashable, Sendable {
    package var edition: EditionID
    package var file: File
    package var offset: UInt32

    package enum File: Hashable, Sendable {
        case edition
        case font(FontHash)
    }

    package init(edition: EditionID, file: File, offset: UInt32) {
        (self.edition, self.file, self.offset) = (edition, file, offset)
    }
}

extension EditionOffer: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.value(edition)
        writer.integer(bytes)
        writer.list(fonts)
    }
    package init(from reader: inout ByteReader) throws(ByteError) {
        edition = try reader.value()
        bytes = try reader.integer()
        fonts = try reader.list(atMost: Limits.fontFiles)
    }
}

extension EditionOffer.Font: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.append(hash.bytes)
        writer.integer(bytes)
    }
    package init(from reader: inout ByteReader) throws(ByteError) {
        hash = FontHash(bytes: Array(try reader.bytes(FontHash.count)))
        bytes = try reader.integer()
    }
}

extension EditionPart: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.value(edition)
        switch file {
        case .edition: writer.integer(0 as UInt8)
        case .font(let hash):
            writer.integer(1 as UInt8)
            writer.append(hash.bytes)
        }
        writer.integer(offset)
    }
    package init(from reader: inout ByteReader) throws(ByteError) {
        edition = try reader.value()
        switch try reader.integer(UInt8.self) {
        case 0: file = .edition
        case 1: file = .font(FontHash(bytes: Array(try reader.bytes(FontHash.count))))
        case let code: throw .unknownCase(code, of: "file")
        }
        offset = try reader.integer()
    }
}
