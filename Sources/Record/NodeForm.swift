import MessageLayout

/// A node of a skeleton, as far as its places depend on it: its parent, the edges that it keeps to, and the alignment
/// of its lines.
struct NodeForm {
    var parent: Int32
    var sides: PlaceNumbers.Sides
    var alignment: Alignment

    init(_ node: Skeleton.Node, in skeleton: Skeleton) {
        (parent, sides) = (node.parent, PlaceNumbers.Sides(node.pins))
        alignment = node.text < 0 ? .start : skeleton.texts[Int(node.text)].alignment
    }
}

/// The widest line of a node, and the height of all of them, in as many layouts as there are lanes.
struct LineSizes {
    var width = Lanes()
    var height = Lanes()
}
