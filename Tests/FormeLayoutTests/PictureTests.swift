import FormeLayout
import JSON
import MessageLayout
import TestSupport
import Testing
import Typography

/// A place for a picture, and what a client needs to fill it: a name, and the size in pixels to which it is scaled.
private struct Slot {
    var source: String
    var frame: PixelRect
    var fill: PixelSize

    static func list(_ model: LayoutModel) -> [Slot] {
        model.skeleton.nodes.indices.compactMap { place in
            let node = model.skeleton.nodes[place]
            guard node.role == .media, model.placements[place].isPresent else { return nil }
            return Slot(
                source: model.skeleton.text(of: node.source), frame: model.placements[place].frame,
                fill: model.placements[place].fill)
        }
    }
}

extension JSONValue {
    /// The value at a path as rows write it: `photos[2].picture`.
    fileprivate func value(at path: String) -> JSONValue? {
        path.split { ".[".contains($0) }.reduce(Optional(self)) { value, step in
            guard step.hasSuffix("]") else { return value?[String(step)] }
            guard let array = value?.array, let place = Int(step.dropLast()), array.indices ~= place else { return nil }
            return array[place]
        }
    }
}

private let screens = [Target(width: .points(375), scale: .three), Target(width: .points(820), scale: .two)]

@Test(arguments: Kinds.styles)
func `every picture is named by its own place in the message`(style: String) throws {
    var layout = MonospacedLayout(try Kinds.style(style), targets: screens)
    var found = 0
    for kind in Kinds.names {
        for message in try Kinds.messages(kind) {
            try layout.layOut(message).forEachModel { place, model in
                let sources = Slot.list(model).map(\.source)
                #expect(Set(sources).count == sources.count, "\(kind) on \(place)")
                #expect(sources.allSatisfy { message.value(at: $0)?.object != nil }, "\(kind) on \(place): \(sources)")
                found += sources.count
            }
        }
    }
    #expect(found > 100)
}

@Test(arguments: Kinds.styles)
func `a picture is scaled in its own ratio to the pixels that fill its frame`(style: String) throws {
    var layout = MonospacedLayout(try Kinds.style(style), targets: screens)
    var cut = 0
    for kind in Kinds.names {
        for message in try Kinds.messages(kind) {
            try layout.layOut(message).forEachModel { place, model in
                for slot in Slot.list(model) {
                    let (frame, fill) = (slot.frame, slot.fill)
                    // A map has nothing to scale, and neither has a picture that nobody has measured.
                    guard let picture = message.value(at: slot.source), let width = picture["width"]?.number?.integer,
                        let height = picture["height"]?.number?.integer, width > 0, height > 0
                    else { continue }
                    #expect(fill.width >= frame.width && fill.height >= frame.height, "\(kind) on \(place)")
                    let (wide, high) = (Double(fill.width), Double(fill.height))
                    let isInRatio =
                        abs(wide - high * Double(width) / Double(height)) <= 1
                        || abs(high - wide * Double(height) / Double(width)) <= 1
                    #expect(isInRatio, "\(kind) \(slot.source) on \(place): \(width)×\(height) as \(fill)")
                    if fill.width > frame.width || fill.height > frame.height { cut += 1 }
                }
            }
        }
    }
    #expect(cut > 10)
}
