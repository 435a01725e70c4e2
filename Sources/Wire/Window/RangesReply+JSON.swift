import JSON
import Names
import Record

extension RangesReply {
    func write(to json: inout JSONWriter, _ window: WindowID) {
        json.object {
            $0.member("window", window.number)
            $0.key("cursor")
            cursor.write(to: &$0)
            $0.member("edition", edition.text)
            $0.member("row", row.number)
            $0.member("message", message.text)
            $0.member("mark", mark.text)
            $0.members("texts", texts) { $1.write(to: &$0) }
            if !hits.isEmpty { $0.members("hits", hits) { $1.write(to: &$0) } }
        }
    }
}

extension PlacedText {
    fileprivate func write(to json: inout JSONWriter) {
        json.object {
            $0.member("node", node)
            $0.member("path", path)
            $0.member("length", length)
            $0.member("shown", shown)
            if !ranges.isEmpty { $0.members("ranges", ranges) { $1.write(to: &$0) } }
            if !carets.isEmpty { $0.members("carets", carets) { $1.write(to: &$0) } }
            if !hits.isEmpty { $0.members("hits", hits) { $1.write(to: &$0) } }
        }
    }
}

extension PlacedRange {
    fileprivate func write(to json: inout JSONWriter) {
        json.object {
            $0.member("start", range.lowerBound)
            $0.member("end", range.upperBound)
            $0.members("frames", frames) { json, frame in
                json.array {
                    $0.fine(frame.left)
                    $0.integer(frame.top)
                    $0.fine(frame.width)
                    $0.integer(frame.height)
                }
            }
        }
    }
}

extension PlacedCaret {
    fileprivate func write(to json: inout JSONWriter) {
        json.object {
            $0.member("offset", offset)
            if isHidden { $0.member("hidden", true) }
            for (name, place) in [("downstream", downstream), ("upstream", upstream)] {
                guard let place else { continue }
                $0.key(name)
                $0.object {
                    $0.key("x")
                    $0.fine(place.x)
                    $0.member("top", place.top)
                    $0.member("height", place.height)
                    $0.member("direction", place.isRightToLeft ? "rtl" : "ltr")
                }
            }
        }
    }
}

extension PlacedHit {
    fileprivate func write(to json: inout JSONWriter) {
        json.object {
            $0.member("node", node)
            $0.member("offset", offset)
            $0.member("affinity", isDownstream ? "downstream" : "upstream")
            $0.member("start", grapheme.lowerBound)
            $0.member("end", grapheme.upperBound)
            $0.member("inside", isInside)
        }
    }
}

extension JSONWriter {
    /// 64ths of a device pixel, in pixels.
    fileprivate mutating func fine(_ length: Int32) { decimal(Double(length) / 64, places: 2) }

    fileprivate mutating func members<Element>(
        _ name: String, _ elements: [Element], _ write: (inout JSONWriter, Element) -> Void
    ) {
        key(name)
        array { json in for element in elements { write(&json, element) } }
    }
}
