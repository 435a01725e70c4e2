import Bytes
import MessageLayout

/// The common part of all layouts of a message, as it is written. Messages of a kind mostly share their skeleton,
/// down to its memory: then it is as it was for the message before.
struct SkeletonBytes: ~Copyable {
    private(set) var shared = Buffer<UInt8>(capacity: 512)
    /// The length of the part of it before texts.
    private var textStart = 0
    /// The data for drawing; empty if it is not known.
    private(set) var drawing = Buffer<UInt8>()
    /// The length of the part of it before generated words, which each message has for itself.
    private var drawingStart = 0
    /// The length of it without any generated words.
    private var emptyEnd = -1
    /// The properties of each node that layouts need.
    private(set) var nodes = Buffer<NodeForm>()
    private var skeleton = Skeleton()

    /// Turns to another message. False if all is as it was.
    @discardableResult
    mutating func turn(to other: Skeleton) -> Bool {
        let generated = other.drawing?.generated ?? []
        if generated.isEmpty { return turn(toPlain: other, generated) }
        var known = other
        known.drawing?.generated = []
        return turn(toPlain: known, generated)
    }

    /// - Parameter other: a skeleton without generated words.
    private mutating func turn(toPlain other: Skeleton, _ generated: [Skeleton.Generated]) -> Bool {
        let isKnown = shared.count > 0 && skeleton == other
        if !isKnown { write(other) }
        let isSame = isKnown && generated.isEmpty && drawing.count == emptyEnd
        if isSame { return false }
        drawing.shrink(to: drawingStart)
        if other.drawing != nil { drawing.append(generated) }
        if generated.isEmpty { emptyEnd = drawing.count }
        return true
    }

    /// Writes the parts that are others. Messages of a kind mostly differ in the entities of their texts, if at all.
    private mutating func write(_ other: Skeleton) {
        let hasNodes = shared.count > 0 && skeleton.words == other.words && skeleton.nodes == other.nodes
        if !hasNodes {
            shared.removeAll()
            shared.appendNodes(of: other)
            textStart = shared.count
        }
        shared.shrink(to: textStart)
        shared.appendTexts(of: other)
        if !hasNodes || skeleton.drawing != other.drawing {
            drawing.removeAll()
            if let told = other.drawing { drawing.append(told, of: other.nodes) }
            drawingStart = drawing.count
        }
        emptyEnd = -1
        nodes.removeAll()
        for node in other.nodes { nodes.append(NodeForm(node, in: other)) }
        skeleton = other
    }
}
