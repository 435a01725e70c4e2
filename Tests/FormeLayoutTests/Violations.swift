import MessageLayout
import TestSupport
import Typography

extension LayoutModel {
    /// The parts that stand where they may not.
    var violations: [String] {
        guard let root = placements.first else { return [] }
        var found: [String] = []
        if root.frame != PixelRect(left: 0, top: 0, width: size.width, height: size.height) {
            found.append("\(name(0)) \(root.frame) is not all of \(size)")
        }
        for place in placements.indices where placements[place].isPresent {
            if let problem = problem(ofParent: place) { found.append(problem) }
            found += problems(ofLines: place)
        }
        return found + siblingsThatOverlap + underStamp
    }

    private func name(_ place: Int) -> String { "\(skeleton.text(of: skeleton.nodes[place].part))#\(place)" }

    private func problem(ofParent place: Int) -> String? {
        let parent = Int(skeleton.nodes[place].parent)
        let frame = placements[place].frame
        if frame.width < 0 || frame.height < 0 { return "\(name(place)) \(frame) is negative" }
        guard parent >= 0 else { return nil }
        guard placements[parent].isPresent else { return "\(name(place)) is there without \(name(parent))" }
        let around = placements[parent].frame
        return around.contains(frame) ? nil : "\(name(place)) \(frame) leaves \(name(parent)) \(around)"
    }

    private func problems(ofLines place: Int) -> [String] {
        let frame = placements[place].frame
        return lineRects(place).filter { !frame.contains($0) }.map { "\(name(place)): line \($0) leaves \(frame)" }
    }

    private func lineRects(_ place: Int) -> [PixelRect] {
        guard placements[place].block >= 0 else { return [] }
        let block = blocks[Int(placements[place].block)]
        let frame = placements[place].frame
        return block.lines.enumerated().map { number, line in
            PixelRect(
                left: frame.left + lines[Int(line)].left, top: frame.top + Int32(number) * block.pitch,
                width: lines[Int(line)].width, height: block.pitch)
        }
    }

    /// The pairs of parts of one parent that overlap, which none may. (A stamp stands in the last line of a text.)
    private var siblingsThatOverlap: [String] {
        var found: [String] = []
        let there = placements.indices.filter { isSolid($0) && !isStamp($0) }
        for (n, one) in there.enumerated() {
            for other in there[(n + 1)...] where skeleton.nodes[one].parent == skeleton.nodes[other].parent {
                guard placements[one].frame.overlaps(placements[other].frame) else { continue }
                found.append(
                    "\(name(one)) \(placements[one].frame) overlaps \(name(other)) \(placements[other].frame)")
            }
        }
        return found
    }

    private func isSolid(_ place: Int) -> Bool {
        let frame = placements[place].frame
        return placements[place].isPresent && frame.width > 0 && frame.height > 0
            && !skeleton.nodes[place].traits.contains(.overlaid)
    }

    private func isStamp(_ place: Int) -> Bool { skeleton.nodes[place].role == .stamp }

    /// The parts that a stamp covers: it may stand in the frame of a text, and on none of its lines.
    private var underStamp: [String] {
        var found: [String] = []
        let parents = Set(skeleton.nodes.map(\.parent))
        let leaves = placements.indices.filter { isSolid($0) && !parents.contains(Int32($0)) }
        for stamp in placements.indices where isSolid(stamp) && isStamp(stamp) && !isOverMedia(stamp) {
            for place in leaves where !isInside(place, stamp) {
                let rects = placements[place].block >= 0 ? lineRects(place) : [placements[place].frame]
                if rects.contains(where: placements[stamp].frame.overlaps) {
                    found.append("\(name(stamp)) \(placements[stamp].frame) covers \(name(place)) \(rects)")
                }
            }
        }
        return found
    }

    private func isInside(_ place: Int, _ outer: Int) -> Bool {
        var place = Int32(place)
        while place >= 0 {
            if place == Int32(outer) { return true }
            place = skeleton.nodes[Int(place)].parent
        }
        return false
    }

    private func isOverMedia(_ stamp: Int) -> Bool {
        var place = Int32(stamp)
        while place >= 0 {
            if skeleton.nodes[Int(place)].traits.contains(.overlaid) { return true }
            place = skeleton.nodes[Int(place)].parent
        }
        return false
    }
}
