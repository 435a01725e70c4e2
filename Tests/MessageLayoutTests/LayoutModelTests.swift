import JSON
import MessageLayout
import TestSupport
import Testing
import Typography

@Test func `lines, entities and what is seen of a picture are in the coordinates of the content`() {
    let model = LayoutModel.sample
    let lines = model.shownLines(of: 1)
    #expect(lines.map(\.range) == [0..<4, 4..<9])
    #expect(lines.map(\.frame.left) == [20, 25] && lines.map(\.frame.top) == [30, 50])
    #expect(lines.map(\.baseline) == [45, 65])
    #expect(model.entityFrames(in: 1) == [[PixelRect(left: 32, top: 50, width: 20, height: 20)]])
    #expect(model.placements[2].crop == PixelRect(left: 10, top: 0, width: 40, height: 30))
    #expect(model.shownLines(of: 0).isEmpty && model.entityFrames(in: 2).isEmpty)
}

@Test func `a model is written with what is there, and nothing else`() throws {
    var json = JSONWriter()
    json.object { LayoutModel.sample.writeMembers(to: &$0) }
    #expect(
        String(decoding: json.bytes, as: UTF8.self)
            == #"{"size":[100,110],"rows":{"narrowest":90,"widest":null},"natural_width":100,"stamp":"none","#
            + #""confidence":["missing_glyph"],"nodes":["#
            + #"{"node":0,"part":"bubble","role":"box","frame":[0,0,100,110],"pins":["start","top"],"#
            + #""corners":["topStart"],"radius":8,"clips":true,"token":"fill"},"#
            + #"{"node":1,"part":"text","role":"text","parent":0,"frame":[20,30,60,40],"pins":["start","top"],"#
            + #""source":"text","text":{"font_size":16.00,"lines":["#
            + #"{"start":0,"end":4,"left":20,"top":30,"baseline":45,"width":40,"direction":"ltr"},"#
            + #"{"start":4,"end":9,"left":25,"top":50,"baseline":65,"width":55,"direction":"rtl","#
            + #""ends_with":"ellipsis"}],"entities":["#
            + #"{"kind":"mention","start":5,"end":7,"frames":[[32,50,20,20]]}]}},"#
            + #"{"node":2,"part":"photo","role":"media","parent":0,"frame":[20,75,40,30],"pins":["start","top"],"#
            + #""action":"open","priority":10,"fill":[60,30],"crop":[10,0,40,30]}],"#
            + #""reading":[{"node":2,"role":"image","label":"text"}]}"#)
}

@Test func `a model of any numbers is written, too`() {
    let numbers: [Int32] = [.min, -1, 0, 7, .max]
    for (one, other) in numbers.flatMap({ one in numbers.map { (one, $0) } }) {
        var model = LayoutModel.sample
        model.placements[1].frame = PixelRect(left: one, top: other, width: one, height: other)
        model.placements[2].fill = PixelSize(width: other, height: one)
        model.placements[2].frame = model.placements[1].frame
        (model.blocks[0].pitch, model.blocks[0].ascent, model.blocks[0].firstLine) = (one, other, other)
        model.lines = [.init(start: one, end: other, left: other, width: one, traits: []), model.lines[1]]
        model.spans = [.init(entity: one, line: one, left: other, width: other)]
        var json = JSONWriter()
        json.object { model.writeMembers(to: &$0) }
        #expect(model.shownLines(of: 1).count == 2 && !json.bytes.isEmpty)
    }
}

@Test func `a model of thousands of entities is written in time in proportion to their number`() {
    func time(_ count: Int32) -> Duration {
        var model = LayoutModel.sample
        model.skeleton.texts[0].entities = (0..<count).map { .init(range: $0..<$0 + 1, kind: .hashtag) }
        model.spans = (0..<count).map { .init(entity: $0, line: 0, left: 0, width: 1) }
        model.blocks[0].spans = 0..<count
        return (0..<2).map { _ in
            var json = JSONWriter()
            return processorTime { json.object { model.writeMembers(to: &$0) } }
        }.min()!
    }
    // 64 times as long when quadratic.
    let isLinear = (0..<3).contains { _ in time(8000) < time(1000) * 24 + .milliseconds(4) }
    #expect(isLinear)
}

extension LayoutModel {
    /// A bubble with a text of two lines, a picture, and something that is not there.
    fileprivate static var sample: LayoutModel {
        var bubble = Skeleton.Node()
        (bubble.part, bubble.token, bubble.corners, bubble.traits) = (1, 5, .topStart, .clips)
        var text = Skeleton.Node()
        (text.part, text.role, text.parent, text.text, text.source) = (2, .text, 0, 0, 2)
        var photo = Skeleton.Node()
        (photo.part, photo.role, photo.parent, photo.action, photo.priority) = (3, .media, 0, 4, 10)
        (photo.accessRole, photo.label) = (.image, 2)
        var absent = Skeleton.Node()
        absent.parent = 0
        var words = Skeleton.Text()
        words.entities = [.init(range: 5..<7, kind: .mention)]
        var model = LayoutModel()
        model.skeleton = Skeleton(
            words: ["bubble", "text", "photo", "open", "fill"], nodes: [bubble, text, photo, absent], texts: [words],
            reading: [3, 2], confidence: .missingGlyph)
        model.size = PixelSize(width: 100, height: 110)
        (model.reach.narrowest, model.reach.naturalWidth) = (90, 100)
        model.placements = [
            .init(frame: PixelRect(left: 0, top: 0, width: 100, height: 110), radius: 8),
            .init(frame: PixelRect(left: 20, top: 30, width: 60, height: 40), block: 0),
            .init(
                frame: PixelRect(left: 20, top: 75, width: 40, height: 30), fill: PixelSize(width: 60, height: 30)),
            .absent,
        ]
        model.blocks = [.init(fontSize: 16 * 64, pitch: 20, ascent: 15, lines: 0..<2, spans: 0..<1)]
        model.lines = [
            .init(start: 0, end: 4, left: 0, width: 40, traits: []),
            .init(start: 4, end: 9, left: 5, width: 55, traits: [.rightToLeft, .ellipsis]),
        ]
        model.spans = [.init(entity: 0, line: 1, left: 12, width: 20)]
        return model
    }
}

@Test func `nothing is a layout, too: it has no size, holds for every row, and shows nothing`() {
    let model = LayoutModel.zero
    #expect(model.size == .zero && model.stamp == .none && model.reach == .unlimited)
    #expect(model.placements.isEmpty && model.blocks.isEmpty && model.skeleton == Skeleton())
}
