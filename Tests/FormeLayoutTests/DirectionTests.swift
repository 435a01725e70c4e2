import FormeLayout
import JSON
import MessageLayout
import Testing
import Typography

/// A message on a phone, whose reader reads from left to right or from right to left.
private func sheet(_ json: String, isMirrored: Bool, style: String = "bubble") throws -> LayoutSheet {
    var target = Target(width: .points(375), scale: .two)
    target.isMirrored = isMirrored
    var engine = try Kinds.engine(Kinds.style(style), targets: [target])
    return try engine.layOut(JSONReader(JSONValue.parse(Array(json.utf8))))
}

@Test(arguments: ["Hello", "שלום"], [false, true])
func `a message of one line has its stamp beside it, whichever way it and its row run`(
    text: String, isMirrored: Bool
) throws {
    for kind in ["text", "streaming", "rich"] {
        let sheet = try sheet(#"{"kind":"\#(kind)","text":"\#(text)"}"#, isMirrored: isMirrored)
        sheet.forEachModel { place, model in
            #expect(model.stamp == .widened && model.violations == [], "\(kind) \(place)")
            let parts = model.skeleton.nodes.map { model.skeleton.text(of: $0.part) }
            let words = model.skeleton.nodes.indices.filter { ["text", "paragraph"].contains(parts[$0]) }
            let time = parts.firstIndex(of: "time").map { model.placements[$0].frame }
            for node in words {
                // It begins where its row does.
                let (line, row) = (model.shownLines(of: node)[0].frame, model.size.width)
                let edge = isMirrored ? row - line.right : line.left
                #expect(edge == 24, "\(kind) \(place)")
                #expect(time.map { isMirrored ? $0.right <= line.left : $0.left >= line.right } == true)
            }
        }
    }
}

@Test(arguments: [("שלום", false), ("Hello", true)])
func `a line that runs against a row of full width stands where longer ones begin, and its stamp below it`(
    text: String, isMirrored: Bool
) throws {
    let sheet = try sheet(#"{"kind":"text","text":"\#(text)"}"#, isMirrored: isMirrored, style: "flat")
    sheet.forEachModel { place, model in
        let parts = model.skeleton.nodes.map { model.skeleton.text(of: $0.part) }
        guard let words = parts.firstIndex(of: "text"),
            let stamp = parts.indices.first(where: { parts[$0] == "stamp" && model.placements[$0].isPresent })
        else {
            Issue.record("\(place)")
            return
        }
        let (line, frame) = (model.shownLines(of: words)[0].frame, model.placements[stamp].frame)
        #expect(model.stamp == .ownLine && frame.top >= line.bottom - 1, "\(place)")
        #expect(abs(isMirrored ? line.left - frame.left : frame.right - line.right) <= 1, "\(place)")
    }
}

@Test func `a line that something stands above keeps its place, and the stamp goes below it`() throws {
    let text = #"{"kind":"rich","text":"Hello\n\nshalom"}"#
    try sheet(text, isMirrored: true).forEachModel { place, model in #expect(model.stamp == .ownLine, "\(place)") }
    try sheet(text, isMirrored: false).forEachModel { place, model in #expect(model.stamp != .ownLine, "\(place)") }
}

@Test(arguments: [("one", "inside"), ("אחת", "בפנים")], [false, true])
func `what is inside of an item begins further in, whichever way it and its row run`(
    words: (outer: String, inner: String), isMirrored: Bool
) throws {
    let text = #"- \#(words.outer)\n  - \#(words.inner)\n\n    \#(words.inner)"#
    let sheet = try sheet(#"{"kind":"rich","text":"\#(text)"}"#, isMirrored: isMirrored)
    sheet.forEachModel { place, model in
        func frames(_ part: String) -> [PixelRect] {
            model.skeleton.nodes.indices.filter { model.skeleton.text(of: model.skeleton.nodes[$0].part) == part }
                .map { model.placements[$0].frame }
        }
        let isHebrew = words.outer == "אחת"
        func beginning(_ frame: PixelRect) -> Int32 { isHebrew ? -frame.right : frame.left }
        let markers = frames("marker").map(beginning)
        #expect(markers.count == 2 && markers[1] - markers[0] == 32, "\(place)")
        #expect(model.violations == [], "\(place)")
    }
}
