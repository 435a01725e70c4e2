import MessageLayout
import Rows
import TestSupport
import Testing
import Typography

@Test func `rows follow each other without a gap, and nothing in them overlaps or stands outside`() {
    forEachSeed(300) { random in
        let decorator = Decorator.random(using: &random)
        let rows = decorator.randomRows(count: 30, using: &random)
        return decorator.decorations(of: rows).allSatisfy { dressed in
            let inside = PixelRect(
                left: 0, top: dressed.gapAbove, width: decorator.target.rowPixels,
                height: dressed.height - dressed.gapAbove - dressed.gapBelow)
            let frames = dressed.frames
            let overlaps = frames.indices.contains { i in frames[..<i].contains { $0.overlaps(frames[i]) } }
            return frames.allSatisfy(inside.contains) && !overlaps
        }
    }
}

@Test func `an insert, a removal or a change touches the row and its neighbours, and no other`() {
    forEachSeed(100) { random in
        let decorator = Decorator.random(using: &random)
        var rows = decorator.randomRows(count: 20, using: &random)
        var dressed = decorator.decorations(of: rows)
        for _ in 0..<20 {
            let place = Int.random(in: 0...rows.count, using: &random)
            let row = decorator.randomRows(count: 1, using: &random)[0]
            switch Int.random(in: 0..<3, using: &random) {
            case 0:
                rows.insert(row, at: place)
                dressed.insert(dressed.first ?? decorator.decoration(of: row, before: nil, after: nil), at: place)
            case 1 where place < rows.count:
                rows.remove(at: place)
                dressed.remove(at: place)
            case 2 where place < rows.count: rows[place] = row
            default: continue
            }
            for i in max(0, place - 1)..<min(rows.count, place + 2) {
                dressed[i] = decorator.decoration(
                    of: rows[i], before: i > 0 ? rows[i - 1] : nil, after: i + 1 < rows.count ? rows[i + 1] : nil)
            }
            guard dressed == decorator.decorations(of: rows) else { return false }
        }
        return true
    }
}

@Test func `a mirrored row is the same row, with every frame as far from the other edge`() {
    forEachSeed(200) { random in
        var decorator = Decorator.random(using: &random)
        let rows = decorator.randomRows(count: 10, using: &random)
        let dressed = decorator.decorations(of: rows)
        let row = decorator.target.rowPixels
        var target = decorator.target
        target.isMirrored.toggle()
        decorator = Decorator(style: decorator.style, viewer: decorator.viewer, target: target)
        return zip(decorator.decorations(of: rows), dressed).allSatisfy { mirrored, straight in
            let frames = straight.frames.map { rect(row - $0.left - $0.width, $0.top, $0.width, $0.height) }
            return mirrored.frames == frames && mirrored.mirrored(in: row) == straight
        }
    }
}

@Test func `neither failing nor selecting changes a height`() {
    forEachSeed(100) { random in
        let decorator = Decorator.random(using: &random)
        let rows = decorator.randomRows(count: 20, using: &random)
        var viewer = decorator.viewer
        viewer.isSelecting.toggle()
        let other = Decorator(style: decorator.style, viewer: viewer, target: decorator.target)
        let turned = rows.map { row in
            var row = row
            row.hasFailed.toggle()
            return row
        }
        return decorator.decorations(of: rows).map(\.height) == other.decorations(of: turned).map(\.height)
    }
}

@Test func `failing moves nothing: its icon comes into a room that was free`() {
    forEachSeed(200) { random in
        let decorator = Decorator.random(using: &random)
        let rows = decorator.randomRows(count: 20, using: &random)
        func dressed(failed: Bool) -> [Decoration] {
            decorator.decorations(
                of: rows.map { row in
                    var row = row
                    row.hasFailed = failed
                    return row
                })
        }
        return zip(dressed(failed: true), dressed(failed: false)).allSatisfy { failed, sent in
            var bare = failed
            bare.failedIcon = nil
            return bare == sent && (failed.failedIcon == nil || !failed.frames.contains { $0.width < 0 })
        }
    }
}

@Test func `a conversation has one unread line, and a date line for every day`() {
    forEachSeed(100) { random in
        let decorator = Decorator.random(using: &random)
        let rows = decorator.randomRows(count: 40, using: &random)
        let dressed = decorator.decorations(of: rows)
        let days = Set(rows.map { LocalTime(milliseconds: $0.milliseconds, in: decorator.viewer.zone).day })
        return dressed.count { $0.unreadLine != nil } == 1 && dressed.compactMap(\.dateLine?.day) == days.sorted()
    }
}

@Test func `ten thousand rows are dressed in a moment`() {
    var random = SplitMix64(seed: 1)
    let decorator = Decorator.random(using: &random)
    let rows = decorator.randomRows(count: 10_000, using: &random)
    #expect(processorTime { _ = decorator.decorations(of: rows) } < .milliseconds(500))
}

@Test func `no row, no size and no time makes it trap`() {
    forEachSeed(200) { random in
        let extremes: [Int32] = [.min, -1, 0, 1, 1000, .max]
        let times: [Int64] = [.min, -1, 0, 1, .max]
        func any() -> Int32 { extremes.randomElement(using: &random)! }
        let target = Target(
            width: Fixed(raw: any()), scale: Scale(thousandths: any()), textScale: TextScale(percent: any()),
            isMirrored: .random(using: &random))
        let viewer = Viewer(
            own: SenderNumber(1), unreadFrom: times.randomElement(using: &random)!,
            zone: TimeZoneRule(initialOffset: any(), transitions: [.init(fromSeconds: .max, offsetSeconds: any())]),
            isSelecting: .random(using: &random))
        let rows = (0..<6).map { _ in
            RowFacts(
                sender: SenderNumber(.random(in: 1...2, using: &random)), order: times.randomElement(using: &random)!,
                milliseconds: times.randomElement(using: &random)!,
                template: ["avatar and name", "avatar centred over the content"].randomElement(using: &random)!,
                hasFailed: .random(using: &random), sizes: ContentSizes(all: PixelSize(width: any(), height: any())))
        }
        let style = Bool.random(using: &random) ? DecorationStyle.bubbles : .flat
        _ = rows.map { ClockText(milliseconds: $0.milliseconds, for: viewer) }
        let dressed = decorated(rows, style, for: viewer, on: target)
        return dressed.allSatisfy { $0.height >= 0 && $0.dateLine?.day.date.month ?? 1 <= 12 }
    }
}

extension Decoration {
    fileprivate var frames: [PixelRect] {
        [dateLine?.frame, unreadLine, avatar, content, failedIcon, selectionHandle].compactMap(\.self)
    }
}

extension Decorator {
    /// A decorator for a random viewer and screen, with a style like one of the two.
    fileprivate static func random(using random: inout SplitMix64) -> Decorator {
        var style = Bool.random(using: &random) ? DecorationStyle.bubbles : .flat
        let sides: [Alignment] = [.start, .center, .end]
        let template = Int.random(in: 0..<3, using: &random)
        style.templates[template].own = sides.randomElement(using: &random)!
        style.templates[template].other = sides.randomElement(using: &random)!
        style.templates[0].avatar!.place = [.start, .end, .centred].randomElement(using: &random)!
        style.templates[0].avatar!.audience.includesOwn = .random(using: &random)
        style.failedIcon!.place = Bool.random(using: &random) ? .edge : .beside
        let viewer = Viewer(
            own: Bool.random(using: &random) ? SenderNumber(1) : nil, unreadFrom: .random(in: -3...3, using: &random),
            zone: TimeZoneRule(initialOffset: .random(in: -43_200...43_200, using: &random)),
            conversation: Bool.random(using: &random) ? .group : .direct, isSelecting: .random(using: &random))
        let target = Target(
            width: Fixed(raw: .random(in: 200 * 64...1200 * 64, using: &random)),
            scale: Scale(thousandths: [1000, 1500, 2000, 2625, 3000, 3500].randomElement(using: &random)!),
            textScale: TextScale(percent: .random(in: 50...310, using: &random)),
            isMirrored: .random(using: &random))
        return Decorator(style: style, viewer: viewer, target: target)
    }

    /// Rows of a few senders with short and long pauses, whose contents have room.
    fileprivate func randomRows(count: Int, using random: inout SplitMix64) -> [RowFacts] {
        var milliseconds = RowFacts.morning * 1000
        return (0..<count).map { order in
            let isShort = Int.random(in: 0..<5, using: &random) > 0
            milliseconds += .random(in: 0...(isShort ? 150_000 : 40_000_000), using: &random)
            let template = style.templates.randomElement(using: &random)!.name
            let room = style.contentRoom(of: template, on: target)
            func size() -> PixelSize {
                PixelSize(width: .random(in: 0...room, using: &random), height: .random(in: 1...200, using: &random))
            }
            return RowFacts(
                sender: SenderNumber(.random(in: 1...3, using: &random)), order: Int64(order),
                milliseconds: milliseconds, template: template,
                joinsSeries: Int.random(in: 0..<8, using: &random) > 0, hasFailed: .random(using: &random),
                sizes: ContentSizes(own: size(), other: size(), otherWithName: size()))
        }
    }
}
