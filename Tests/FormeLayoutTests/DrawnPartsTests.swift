import FormeLayout
import JSON
import MessageLayout
import Record
import Testing
import Wire

/// The parts that are drawn of a message besides its texts, by the names that styles give them, with their numbers.
private let drawn: [(kind: String, parts: [String: Int])] = [
    ("video", ["video": 1, "play": 1]), ("file", ["fileIcon": 1]), ("poll", ["tick": 3, "track": 3]),
    ("location", ["map": 1, "pin": 1]), ("audio", ["play": 1, "wave": 1]), ("deleted", ["deletedIcon": 1]),
    ("typing", ["dot": 3]), ("photo", ["photo": 1]),
]

@Test(arguments: Kinds.styles)
func `a record has the frames of everything that is drawn, not of its texts alone`(style: String) throws {
    for (kind, parts) in drawn {
        let record = try LayoutRecord(try #require(Kinds.records(kind, style).first))
        for target in record.targets.indices {
            let model = try record.model(target: target, variant: 1, state: 0)
            for (part, count) in parts {
                let frames = model.skeleton.nodes.indices
                    .filter { model.skeleton.text(of: model.skeleton.nodes[$0].part) == part }
                    .map { model.placements[$0] }.filter(\.isPresent).map(\.frame)
                #expect(frames.count == count, "\(kind): \(part)")
                #expect(frames.allSatisfy { $0.width > 0 && $0.height > 0 }, "\(kind): \(part)")
            }
        }
    }
}
