import FormeLayout
import JSON
import MessageLayout
import Testing

@Test(arguments: ["album", "link", "poll", "rich"])
func `a layout is printed as it stands in its content, however deep`(kind: String) throws {
    var engine = try Kinds.engine(Kinds.style("bubble"))
    for message in try Kinds.messages(kind).prefix(2) {
        let sheet = try engine.layOut(JSONReader(message))
        try sheet.forEachModel { place, model in
            var json = JSONWriter()
            json.object { model.writeMembers(to: &$0) }
            for node in try #require(JSONValue.parse(json.bytes)["nodes"]?.array) {
                let number = try #require(node["node"]?.number?.integer)
                let frame = model.placements[Int(number)].frame
                let printed = node["frame"]?.array?.compactMap { $0.number?.integer.map { Int32($0) } }
                #expect(printed == [frame.left, frame.top, frame.width, frame.height], "\(place) \(number)")
            }
        }
    }
}
