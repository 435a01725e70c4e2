package import Bytes
package import MessageLayout
package import Names
package import Rows

/// The columns of a block that heights are summed from, for one target. It keeps its memory from one block to the next,
/// and its dictionaries while blocks have the same: neighbours mostly have.
///
///     var rows = BlockRows()
///     for block in blocks { try rows.read(block, for: target) }
package struct BlockRows: ~Copyable {
    private var orders = Buffer<Int64>(capacity: 256)
    private var times = Buffer<Int64>(capacity: 256)
    private var faces = Buffer<RowFace>(capacity: 256)
    private var heights = Buffer<ContentHeights>(capacity: 256)
    package private(set) var senders: [SenderID] = []
    package private(set) var looks: [RowLook] = []
    /// The lowest and the highest number of a row.
    package private(set) var numbers: ClosedRange<Int64> = 0...0
    /// Counts how often `senders` and `looks` were read anew.
    package private(set) var dictionaryEdition = 0
    private var senderBytes: [UInt8] = []
    private var lookBytes: [UInt8] = []
    /// The column of a target in a block whose targets were these bytes.
    private var known: (target: Target, bytes: [UInt8], column: Int)?
    private var entries = Buffer<ContentHeights>()
    private var options = HeightOptions()
    private var codes = Buffer<Int32>(capacity: 256)
    private var ownCodes = Buffer<Int32>(capacity: 256)

    package struct Row: Hashable, Sendable {
        package var order: Int64
        package var milliseconds: Int64
        /// Places in `senders` and `looks`.
        package var sender: Int
        package var look: Int
        package var heights: ContentHeights
    }

    package init() {}

    package var count: Int { heights.count }

    package subscript(i: Int) -> Row {
        Row(
            order: orders[i], milliseconds: times[i], sender: Int(faces[i].sender), look: Int(faces[i].look),
            heights: heights[i])
    }

    /// Reads a block for a target. Throws if it has no heights for the target: it is sealed for those of its rows'
    /// layouts.
    package mutating func read(_ block: RowBlock, for target: Target) throws(ByteError) {
        if let restated = block.restated {
            guard restated.target == target else { throw .empty("heights") }
            return try read(block, target: 0)
        }
        if let known, known.target == target, block.bytes[block.parts.targets].elementsEqual(known.bytes) {
            return try read(block, target: known.column)
        }
        guard let column = try block.targets().firstIndex(of: target) else { throw .empty("heights") }
        known = (target, Array(block.bytes[block.parts.targets]), column)
        try read(block, target: column)
    }

    package mutating func read(_ block: RowBlock, target: Int) throws(ByteError) {
        guard 0..<block.targetCount ~= target else { throw .outOfRange(Int64(target), of: "target") }
        orders.removeAll()
        times.removeAll()
        faces.removeAll()
        heights.removeAll()
        try unsafe block.bytes.withUnsafeBufferPointer { (bytes) throws(ByteError) in
            try unsafe readDictionaries(block.parts, bytes)
            try unsafe readSteps(block, bytes)
            try unsafe readFaces(block, bytes)
            try unsafe readHeights(block, target: target, bytes)
        }
    }
}

extension BlockRows {
    /// Adds up the heights that a walk gives for its rows behind the first.
    /// - Parameter senders: the numbers of its senders; `looks` are those of its looks.
    package func heights(
        behindFirstOn walk: inout HeightWalk, senders: [UInt32], looks: [UInt32]
    ) -> Int64 {
        unsafe walk.next(
            orders.elements.span, times.elements.span, faces.elements.span, heights.elements.span,
            senders: senders.span, looks: looks.span)
    }

    private mutating func readDictionaries(
        _ parts: RowBlock.Parts, _ bytes: UnsafeBufferPointer<UInt8>
    ) throws(ByteError) {
        let isSame =
            unsafe bytes[parts.senders].elementsEqual(senderBytes) && bytes[parts.looks].elementsEqual(lookBytes)
        if isSame && !senders.isEmpty { return }
        // Until they are read to their end, they are those of no block.
        (senders, looks, senderBytes, lookBytes) = ([], [], [], [])
        dictionaryEdition += 1
        var reader = unsafe NumberReader(bytes, from: parts.senders.lowerBound, to: parts.senders.upperBound)
        var names = NameWalk()
        while reader.left > 0 { senders.append(try SenderID(unsafe names.next(&reader, in: bytes))) }
        var lookReader = unsafe NumberReader(bytes, from: parts.looks.lowerBound, to: parts.looks.upperBound)
        var templates = NameWalk()
        while lookReader.left > 0 {
            let flags = lookReader.number(upTo: 3, of: "look")
            let template = try unsafe templates.next(&lookReader, in: bytes)
            looks.append(RowLook(template: template, joinsSeries: flags & 1 != 0, hasFailed: flags & 2 != 0))
        }
        guard 1...RowBlock.mostRows ~= senders.count else { throw .outOfRange(Int64(senders.count), of: "senders") }
        guard 1...RowBlock.mostRows ~= looks.count else { throw .outOfRange(Int64(looks.count), of: "looks") }
        senderBytes = unsafe Array(bytes[parts.senders])
        lookBytes = unsafe Array(bytes[parts.looks])
    }

    private mutating func readSteps(_ block: RowBlock, _ bytes: UnsafeBufferPointer<UInt8>) throws(ByteError) {
        let parts = block.parts
        var reader = unsafe NumberReader(bytes, from: parts.orders.lowerBound, to: parts.orders.upperBound)
        var isRising = true
        var last = Int64.min
        unsafe reader.steps(block.count, in: bytes) { order in
            isRising = isRising && order >= last
            last = order
            orders.append(order)
        }
        try reader.finish()
        guard isRising else { throw .outOfRange(last, of: "order") }
        reader = unsafe NumberReader(bytes, from: parts.times.lowerBound, to: parts.times.upperBound)
        unsafe reader.steps(block.count, in: bytes) { times.append($0) }
        try reader.finish()
        reader = unsafe NumberReader(bytes, from: parts.numbers.lowerBound, to: parts.numbers.upperBound)
        var (least, most) = (Int64.max, Int64.min)
        unsafe reader.steps(block.count, in: bytes) { (least, most) = (min(least, $0), max(most, $0)) }
        try reader.finish()
        numbers = least...most
    }

    private mutating func readFaces(_ block: RowBlock, _ bytes: UnsafeBufferPointer<UInt8>) throws(ByteError) {
        let senderWidth = bitWidth(of: senders.count)
        let lookWidth = bitWidth(of: looks.count)
        let (senderCount, lookCount) = (UInt64(senders.count), UInt64(looks.count))
        var bits = unsafe BitReader(bytes, block.parts.faces)
        var isKnown = true
        bits.take(block.count, of: senderWidth + lookWidth) { face in
            let sender = face & (1 << UInt64(senderWidth) - 1)
            let look = face >> UInt64(senderWidth)
            isKnown = isKnown && sender < senderCount && look < lookCount
            faces.append(RowFace(sender: UInt16(truncatingIfNeeded: sender), look: UInt16(truncatingIfNeeded: look)))
        }
        guard isKnown else { throw .outOfRange(Int64(max(senderCount, lookCount)), of: "face") }
        guard bits.isAtEnd() else { throw .outOfRange(Int64(block.count), of: "faces") }
    }

    private mutating func readHeights(
        _ block: RowBlock, target: Int, _ bytes: UnsafeBufferPointer<UInt8>
    ) throws(ByteError) {
        if let restated = block.restated {
            for own in restated.heights { heights.append(own) }
            return
        }
        try unsafe entries.read(block.parts.heights, in: bytes)
        codes.removeAll()
        codes.append(repeating: 0, count: block.count)
        try unsafe readCodes(block.parts.columns[0], of: 1, bytes)
        if target > 0 {
            swap(&codes, &ownCodes)
            try unsafe readCodes(block.parts.columns[target], of: options.optionCount, bytes)
        }
        for i in 0..<block.count { heights.append(entries[Int(options.entry(ownCodes[i]))]) }
    }

    /// Replaces own codes with those that the column has for each of `count` codes.
    private mutating func readCodes(
        _ part: Range<Int>, of count: Int, _ bytes: UnsafeBufferPointer<UInt8>
    ) throws(ByteError) {
        ownCodes.removeAll()
        var reader = unsafe NumberReader(bytes, from: part.lowerBound, to: part.upperBound)
        options.read(count, entries: entries.count, &reader)
        if let fault = reader.fault { throw fault }
        var bits = unsafe BitReader(bytes, reader.place..<part.upperBound)
        if count == 1, options.optionCount > 0 {
            let choice = options.choices(0)
            var most: Int32 = 0
            bits.take(codes.count, of: Int(choice.width)) { number in
                most = max(most, Int32(truncatingIfNeeded: number))
                ownCodes.append(Int32(truncatingIfNeeded: number))
            }
            guard most < choice.count else { throw .outOfRange(Int64(most), of: "height") }
            guard bits.isAtEnd() else { throw .outOfRange(Int64(codes.count), of: "heights") }
            return
        }
        for i in 0..<codes.count {
            let choice = options.choices(Int(codes[i]))
            let number = Int32(truncatingIfNeeded: bits.take(Int(choice.width)))
            guard number < choice.count else { throw .outOfRange(Int64(number), of: "height") }
            ownCodes.append(choice.first &+ number)
        }
        guard bits.isAtEnd() else { throw .outOfRange(Int64(codes.count), of: "heights") }
    }
}

extension Buffer<ContentHeights> {
    /// Reads a block's different heights, the lowest first.
    fileprivate mutating func read(_ part: Range<Int>, in bytes: UnsafeBufferPointer<UInt8>) throws(ByteError) {
        removeAll()
        var reader = unsafe NumberReader(bytes, from: part.lowerBound, to: part.upperBound)
        var own: Int32 = 0
        while reader.left > 0 {
            own &+= reader.length()
            let other = own &+ reader.signed()
            append(ContentHeights(own: own, other: other, otherWithName: other &+ reader.signed()))
        }
        try reader.finish()
    }
}
