import Bytes
import MessageLayout

/// What all layouts of a message have in common, as it is written. Messages of a kind mostly share their skeleton, down to its
/// memory: then it is what it was for the message before.
struct SkeletonBytes: ~Copyable {
    private(set) var shared = Buffer<UInt8>(capacity: 512)
    /// What drawing needs; empty where nobody knows it.
    private(set) var drawing = Buffer<UInt8>()
    /// Of it, what comes before words that are generated: those are of each message.
    private var drawingStart = 0
    /// What layouts ask of each node.
    private(set) var nodes = Buffer<NodeForm>()
    private var skeleton = Skeleton()

    /// Turns to another message.
    mutating func turn(to other: Skeleton) {
        var known = other
        known.drawing?.generated = []
        if shared.count == 0 || skeleton != known { write(known) }
        drawing.shrink(to: drawingStart)
        if let told = other.drawing { drawing.append(told.generated) }
    }

    private mutating func write(_ other: Skeleton) {
        skeleton = other
        shared.removeAll()
        shared.append(other)
        drawing.removeAll()
        if let told = other.drawing { drawing.append(told, of: other.nodes) }
        drawingStart = drawing.count
        nodes.removeAll()
        for node in other.nodes { nodes.append(NodeForm(node, in: other)) }
    }
}
