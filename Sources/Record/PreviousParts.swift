import Bytes

/// The places of the layouts in the bytes of a record of version 1 or 2.
struct PreviousParts: Equatable, Sendable {
    var reaches = 0..<0
    var columns = 0..<0
    var shapes = Table()
    var places = Table()
    var faces = Table()
    var contents = Table()

    /// Chunks, one behind another.
    struct Table: Equatable, Sendable {
        var count = 0
        var bytes = 0..<0
    }

    /// Finds the bytes of the reaches. They are read for the target of a row.
    mutating func readReaches(_ reader: inout NumberReader, _ groups: [Int32]) throws(ByteError) {
        let start = reader.place
        reader.skip(2 * groups.count + groups.indices.count { groups[$0] == Int32($0) })
        if let fault = reader.fault { throw fault }
        reaches = start..<reader.place
    }

    mutating func readTables(_ reader: inout NumberReader) {
        let columnBytes = reader.count(of: "columns")
        var sizes: [(count: Int, bytes: Int)] = []
        for _ in 0..<4 { sizes.append((reader.count(of: "chunks"), reader.count(of: "chunks"))) }
        columns = reader.part(columnBytes)
        let tables = sizes.map { Table(count: $0.count, bytes: reader.part($0.bytes)) }
        (shapes, places, faces, contents) = (tables[0], tables[1], tables[2], tables[3])
    }
}

extension Face {
    init(previous reader: inout NumberReader) {
        let head = reader.number()
        let own = head >> 2
        self.init(
            size: Int32(bitPattern: head & 2 == 0 ? own : own << 6), pitch: reader.length(), ascent: reader.length(),
            isPoints: head & 1 != 0)
    }
}
