import FormeLayout
import JSON
import MessageLayout
import Rows
import TestSupport
import Testing
import Typography
import Wire

@Test func `every kind has messages to try it with, and every message a kind`() {
    #expect(!Kinds.names.isEmpty)
    #expect(Kinds.fixtures == Kinds.names)
}

@Test(arguments: Kinds.styles)
func `every style has every kind, and the screens of today`(name: String) throws {
    let style = try Kinds.style(name)
    #expect(style.templates.keys.sorted() == Kinds.names)
    #expect(style.classes.map(\.name) == ["small", "tablet"])
    let phones = [
        "320@2", "375@2", "414@2", "393@2.75", "412@2.625", "360@3", "375@3", "390@3", "393@3", "402@3", "414@3",
        "430@3",
        "440@3",
    ]
    #expect(Set(style.targets.map(\.text)) == Set(phones + ["820@2", "1024@2", "640@1"]) && style.targets.count == 16)
    #expect(style.textScales.map(\.percent) == [85, 100, 115, 130, 150, 200])
    #expect(style.template(for: style.fallback)?.isFallback == true)
}

@Test(arguments: Kinds.styles, Kinds.names)
func `everything stands inside its parent and on nothing else, on every screen`(style: String, kind: String) throws {
    var engine = try Kinds.engine(Kinds.style(style))
    for (number, message) in try Kinds.messages(kind).enumerated() {
        let sheet = try engine.layOut(JSONReader(message))
        sheet.forEachModel { place, model in
            #expect(model.size.width > 0 && model.size.height > 0, "message \(number) on \(place)")
            #expect(model.violations == [], "message \(number) on \(place)")
        }
        for (target, variant) in pairs(sheet.targets.indices, 0..<Int(sheet.variantCount)) {
            let size = sheet.slice(target: target, variant: variant).size
            #expect(size.width <= sheet.targets[target].rowPixels)
            guard sheet.stateCount == 2 else { continue }
            let expanded = sheet.slice(target: target, variant: variant, state: 1).size
            #expect(expanded.height >= size.height, "message \(number), target \(target), variant \(variant)")
        }
    }
}

@Test(arguments: Kinds.styles)
func `everything stands where it may for the smallest and the largest texts, too`(name: String) throws {
    let style = try Kinds.style(name)
    let targets = [85, 200].map { percent in
        Target(width: .points(360), scale: Scale(thousandths: 2625), textScale: TextScale(percent: percent))
    }
    var engine = try Kinds.engine(style, targets: targets)
    for kind in Kinds.names {
        for (number, message) in try Kinds.messages(kind).enumerated() {
            try engine.layOut(JSONReader(message)).forEachModel { place, model in
                #expect(model.violations == [], "\(kind) \(number) on \(place)")
            }
        }
    }
}

@Test(arguments: Kinds.styles)
func `a text that is cut is laid out ahead in both of its states`(name: String) throws {
    let words = Array(repeating: "word", count: 1_000).joined(separator: " ")
    var layout = MonospacedLayout(try Kinds.style(name), targets: [Target(width: .points(390), scale: .two)])
    let sheet = try layout.layOut(JSONValue.parse(Array(#"{"kind":"text","text":"\#(words)"}"#.utf8)))
    try #require(sheet.stateCount == 2)
    for variant in 0..<Int(sheet.variantCount) {
        let states = (0..<2).map { sheet.model(target: 0, variant: variant, state: $0) }
        let ends = states.map { model in
            model.placements.indices.flatMap { model.shownLines(of: $0) }.map { Int($0.range.upperBound) }.max() ?? 0
        }
        #expect(ends[0] < words.utf16.count && ends[1] == words.utf16.count)
        #expect(states[0].size.height < states[1].size.height)
        #expect(states.map { $0.shows("more") } == [true, false])
    }
}

extension LayoutModel {
    fileprivate func shows(_ part: String) -> Bool {
        zip(skeleton.nodes, placements).contains { skeleton.text(of: $0.part) == part && $1.isPresent }
    }
}

@Test(arguments: Kinds.styles)
func `what happens to a message on its way moves nothing`(name: String) throws {
    var engine = try Kinds.engine(Kinds.style(name))
    for kind in Kinds.names {
        for message in try Kinds.messages(kind) {
            let sheet = try engine.layOut(JSONReader(message))
            for status in ["sending", "sent", "delivered", "read", "failed"] {
                let later = try engine.layOut(JSONReader(message.with("status", as: .string(status))))
                #expect(later == sheet, "\(kind) \(status)")
            }
            try expectRowsThatStay(sheet, in: Kinds.style(name), kind)
        }
    }
}

/// The kinds without a status: lines between messages, and content that is not a message yet.
private let withoutStatus = ["date", "event", "events", "unread", "typing"]

@Test(arguments: Kinds.styles)
func `every own message has a place for how far it came, as what failed is told nowhere else`(name: String) throws {
    let style = try Kinds.style(name)
    #expect(try style.decoration()?.failedIcon == nil)
    let own = try #require(style.variants.firstIndex(of: "own"))
    var engine = try Kinds.engine(style)
    for kind in Kinds.names where !withoutStatus.contains(kind) {
        for message in try Kinds.messages(kind) {
            let sheet = try engine.layOut(JSONReader(message))
            for target in sheet.targets.indices {
                let model = sheet.model(target: target, variant: own)
                let places = model.skeleton.nodes.indices.filter {
                    model.skeleton.text(of: model.skeleton.nodes[$0].part) == "status" && model.placements[$0].isPresent
                }
                #expect(places.count == 1, "\(kind) \(sheet.targets[target])")
            }
        }
    }
}

/// Expects that the whole row stays in place, whatever the status is. While its reader selects, rows are as high as
/// before and make way for handles: this is geometry, and needs a window that is opened afresh. The client paints
/// highlights, which are no part of a row's dress.
private func expectRowsThatStay(_ sheet: LayoutSheet, in style: StyleSheet, _ kind: String) throws {
    let decoration = try #require(try style.decoration())
    for (target, number) in pairs(sheet.targets.indices, decoration.templates.indices) {
        let template = decoration.templates[number].name
        func dressed(_ status: String, isSelecting: Bool = false) -> [Decoration] {
            let viewer = Viewer(own: SenderNumber(1), isSelecting: isSelecting)
            let decorator = Decorator(style: decoration, viewer: viewer, target: sheet.targets[target])
            return decorator.decorations(
                of: [1, 1, 2, 2, 1].enumerated().map { order, sender in
                    RowFacts(
                        sender: SenderNumber(sender), order: Int64(order), milliseconds: 0, template: template,
                        hasFailed: decoration.hasFailed(Array("\"\(status)\"".utf8), in: template),
                        sizes: ContentSizes(
                            own: sheet.slice(target: target, variant: 0).size,
                            other: sheet.slice(target: target, variant: 1).size,
                            otherWithName: sheet.slice(target: target, variant: 2).size))
                })
        }
        let row = sheet.targets[target].rowPixels
        let firsts = [false, true].map { dressed("sending", isSelecting: $0) }
        #expect(firsts[0].map(\.height) == firsts[1].map(\.height), "\(kind), \(template)")
        for (isSelecting, first) in zip([false, true], firsts) {
            for status in ["sent", "delivered", "read", "failed"] {
                let later = dressed(status, isSelecting: isSelecting)
                let bare = later.map { row in
                    var row = row
                    row.failedIcon = nil
                    return row
                }
                #expect(bare == first, "\(kind), \(template), \(status), \(isSelecting)")
                // A style that marks a failed message beside it leaves room for the mark; the project's styles mark
                // it at the ticks.
                let icons = later.compactMap(\.failedIcon)
                #expect(icons.count == (status == "failed" && decoration.failedIcon != nil ? 3 : 0))
                #expect(icons.allSatisfy { $0.left >= 0 && $0.right <= row }, "\(kind), \(template), \(isSelecting)")
            }
        }
    }
}

@Test(arguments: Kinds.styles)
func `in a row from right to left everything is mirrored`(name: String) throws {
    let style = try Kinds.style(name)
    var plain = MonospacedLayout(style, letter: "x")
    var mirrored = MonospacedLayout(
        style,
        targets: style.targets.map {
            Target(width: $0.width, scale: $0.scale, textScale: $0.textScale, isMirrored: true)
        }, letter: "א")
    for kind in Kinds.names {
        for (number, message) in try Kinds.messages(kind).enumerated() {
            let (one, other) = (try plain.layOut(message), try mirrored.layOut(message))
            #expect(one.stateCount == other.stateCount)
            for (target, variant) in pairs(one.targets.indices, 0..<Int(one.variantCount)) {
                let model = one.model(target: target, variant: variant)
                #expect(
                    other.model(target: target, variant: variant).isMirror(of: model),
                    "\(kind) \(number), target \(target), variant \(variant)")
            }
        }
    }
}

@Test(arguments: Kinds.styles)
func `a message is laid out the same whatever was laid out before`(name: String) throws {
    let style = try Kinds.style(name)
    let messages = try Kinds.names.flatMap(Kinds.messages)
    var forward = try Kinds.engine(style)
    var backward = try Kinds.engine(style)
    var sheets: [LayoutSheet] = []
    for message in messages { sheets.append(try forward.layOut(JSONReader(message))) }
    for (message, sheet) in zip(messages, sheets).reversed() {
        #expect(try backward.layOut(JSONReader(message)) == sheet)
    }
}

@Test(arguments: Kinds.styles)
func `a layout is the layout for every row that it says it is for`(name: String) throws {
    let style = try Kinds.style(name)
    var all = MonospacedLayout(style)
    var random = SplitMix64(seed: 11)
    for kind in Kinds.names {
        for (number, message) in try Kinds.messages(kind).enumerated() {
            let sheet = try all.layOut(message)
            let target = sheet.targets.indices.randomElement(using: &random)!
            let variant = Int.random(in: 0..<3, using: &random)
            let state = Int.random(in: 0..<Int(sheet.stateCount), using: &random)
            let model = sheet.model(target: target, variant: variant, state: state)
            let own = sheet.targets[target].rowPixels
            let rows = max(model.reach.narrowest, min(200, own))...min(model.reach.widest, max(2000, own))
            for row in Set([rows.lowerBound, rows.upperBound, .random(in: rows, using: &random)]) {
                var alone = MonospacedLayout(style, targets: [sheet.targets[target].withRow(row)])
                let other = try alone.layOut(message)
                let found = other.model(target: 0, variant: variant, state: min(state, Int(other.stateCount) - 1))
                // A part that is present on another screen alone, such as the one that expands a cut text, has a
                // number in a sheet of several screens, and none in a sheet of one.
                #expect(
                    found.placements.filter(\.isPresent) == model.placements.filter(\.isPresent)
                        && found.lines == model.lines && found.size == model.size,
                    "\(kind) \(number), target \(target), variant \(variant), state \(state): not for \(row) of \(rows)"
                )
            }
        }
    }
}

@Test func `a kind that is not known says what it can`() throws {
    var layout = MonospacedLayout(try Kinds.style("bubble"))
    let message = try JSONValue.parse(Array(#"{"kind":"payment","summary":"Sent 5","amount":{"cents":500}}"#.utf8))
    let sheet = try layout.layOut(message)
    #expect(sheet.skeleton.confidence.contains(.unknownKind))
    #expect(sheet.skeleton.words.contains("summary"))
}

@Test func `what a kind that is not known carries is checked like any other`() throws {
    var layout = MonospacedLayout(try Kinds.style("bubble"))
    let message = try JSONValue.parse(Array(#"{"kind":"payment","reactions":[{"count":2}]}"#.utf8))
    let error = #expect(throws: JSONError.self) { try layout.layOut(message) }
    #expect(error?.description == "reactions[0]: 'emoji' is missing")
}

func pairs(_ a: Range<Int>, _ b: Range<Int>) -> [(Int, Int)] { a.flatMap { one in b.map { (one, $0) } } }

extension Target {
    /// The same screen with a row of so many device pixels.
    func withRow(_ pixels: Int32) -> Target {
        var target = self
        target.width = Fixed(raw: (pixels * 64_000 + scale.thousandths - 1) / scale.thousandths)
        return target
    }
}

extension LayoutModel {
    func isMirror(of other: LayoutModel) -> Bool {
        guard size == other.size, stamp == other.stamp, placements.count == other.placements.count else { return false }
        return zip(placements, other.placements).allSatisfy { own, its in
            guard own.isPresent == its.isPresent else { return false }
            guard own.isPresent else { return true }
            return own.frame.top == its.frame.top && own.frame.height == its.frame.height
                && own.frame.width == its.frame.width && own.frame.left == size.width - its.frame.right
        }
    }
}
