import MessageLayout
import Names
import Record
import Rows
import TestSupport
import Typography
import Wire

/// Random words about windows, whole ones.
extension SplitMix64 {
    fileprivate static let filler = try! EditionID("0b")

    mutating func windowID() -> WindowID { WindowID(number()) }

    mutating func cursor() -> WindowCursor {
        WindowCursor(epoch: LeaseEpoch(number()), stamp: Stamp(number()), turn: number())
    }

    mutating func anchor() -> WindowAnchor {
        WindowAnchor(
            row: MessageNumber(number()), edge: WindowAnchor.Edge.allCases.randomElement(using: &self)!,
            offset: number())
    }

    mutating func target() -> Target {
        Target(
            width: .points(.random(in: 0...2_000, using: &self)),
            scale: [.one, .two, .three].randomElement(using: &self)!,
            textScale: TextScale(percent: .random(in: 25...400, using: &self)), isMirrored: .random(using: &self))
    }

    mutating func length() -> Int32 { .random(in: 0 ... .max, using: &self) }

    mutating func y() -> Int64 { .random(in: Limits.y, using: &self) }

    mutating func rect() -> PixelRect {
        PixelRect(left: number(), top: number(), width: number(), height: number())
    }

    mutating func decoration() -> Decoration {
        Decoration(
            variant: ContentVariant.allCases.randomElement(using: &self)!,
            series: SeriesPosition.allCases.randomElement(using: &self)!, height: number(), gapAbove: number(),
            gapBelow: number(),
            dateLine: perhaps { .init(frame: $0.rect(), day: LocalDay(number: .random(in: Limits.days, using: &$0))) },
            unreadLine: perhaps { $0.rect() }, avatar: perhaps { $0.rect() }, content: rect(),
            failedIcon: perhaps { $0.rect() }, selectionHandle: perhaps { $0.rect() },
            bubble: .init(
                largeRadius: number(), smallRadius: number(),
                smallCorners: Corners(rawValue: .random(in: 0...15, using: &self)), hasTail: .random(using: &self)))
    }

    mutating func windowRow() throws -> WindowRow {
        WindowRow(
            number: MessageNumber(number()), message: try name(), order: number(), height: length(), lead: length(),
            strip: length(),
            body: perhaps { random in
                var body = WindowRow.Body(
                    decoration: random.decoration(), layout: random.bytes(0...30),
                    message: random.perhaps { $0.bytes(0...30) },
                    filler: random.perhaps { _ in SplitMix64.filler })
                body.fonts = random.perhaps { $0.fonts() }
                return body
            })
    }

    /// Random fonts, mostly those that other rows have, too.
    mutating func fonts() -> [FontHash] {
        Set((0..<Int.random(in: 0...3, using: &self)).map { _ in UInt8.random(in: 0...4, using: &self) }).sorted()
            .compactMap { FontHash(String(repeating: "a\($0)", count: 32)) }
    }

    mutating func windowRows() throws -> [WindowRow] {
        var rows: [WindowRow] = []
        for _ in 0..<Int.random(in: 0...4, using: &self) { rows.append(try windowRow()) }
        return rows
    }

    mutating func frame() throws -> WindowFrame {
        let start = Int64(Int32.random(in: .min...0, using: &self))
        return WindowFrame(
            cursor: cursor(), edition: try EditionID("0badcafe"), isOld: .random(using: &self),
            rowsAbove: .random(in: 0...9_999, using: &self), rowsBelow: .random(in: 0...9_999, using: &self),
            top: y(), extent: start..<start + Int64.random(in: 0...1 << 40, using: &self))
    }

    mutating func windowReply() throws -> WindowReply {
        WindowReply(
            window: windowID(), part: WindowReply.Part.allCases.randomElement(using: &self)!,
            reason: ChangeReason.allCases.randomElement(using: &self)!, frame: try frame(), rows: try windowRows(),
            insertedAbove: number(),
            firstVisible: perhaps { .init(row: MessageNumber($0.number()), y: $0.y()) },
            contentFits: .random(using: &self),
            prefetch: PrefetchHint(older: perhaps { $0.number() }, newer: perhaps { $0.number() }))
    }

    mutating func changeSet() throws -> ChangeSet {
        var changes: [WindowChange] = []
        for _ in 0..<Int.random(in: 0...4, using: &self) { changes.append(try windowChange()) }
        return ChangeSet(
            window: windowID(), since: cursor(), changes: changes,
            anchors: (0..<Int.random(in: 0...3, using: &self)).map { _ in
                AnchorDelta(anchor: anchor(), delta: number())
            }, frame: try frame())
    }

    mutating func windowChange() throws -> WindowChange {
        let (at, to) = (Int.random(in: 0...100, using: &self), Int.random(in: 0...100, using: &self))
        let kinds: [WindowChange.Kind] = [
            .insert(at: at, try windowRows()), .remove(at: at, count: to), .replace(at: at, try windowRow()),
            .move(from: at, to: to, try windowRow()), .redecorate(at: at, try windowRow()),
        ]
        return WindowChange(
            kinds.randomElement(using: &self)!, heightDelta: number(),
            change: ChangeClass.allCases.randomElement(using: &self)!,
            reason: ChangeReason.allCases.randomElement(using: &self)!)
    }

    mutating func reader() throws -> WindowReader {
        let clocks: [ClockFormat] = [
            .hours24, .hours12,
            ClockFormat(
                hours: .twelve(beforeNoon: "오전 ", afterNoon: "오후 ", isLeading: true), padsHours: false, separator: "."),
        ]
        return WindowReader(
            own: try perhaps { try $0.name() }, unreadFrom: perhaps { $0.number() },
            zone: TimeZoneRule(
                initialOffset: .random(in: -40_000...40_000, using: &self),
                transitions: (0..<Int.random(in: 0...3, using: &self)).map { _ in
                    .init(fromSeconds: number(), offsetSeconds: .random(in: -40_000...40_000, using: &self))
                }),
            clock: clocks.randomElement(using: &self)!, isDirect: .random(using: &self),
            isSelecting: .random(using: &self))
    }

    mutating func clientWord() throws -> ClientWord {
        let window = windowID()
        let places: [WindowPlace] = [
            .newest, .unread, .message(try name()), .date(moment()), .y(number()),
        ]
        let start = Int64(number(Int32.self))
        let line = Int.random(in: 0...9_999, using: &self)
        let words: [ClientWord] = [
            .lines(
                window,
                WantedLines(
                    row: MessageNumber(number()), mark: RowMark(number()),
                    lines: line..<line + .random(in: 0...9_999, using: &self))),
            .open(
                WindowOpening(
                    window: window, conversation: try name(), target: target(), reader: try reader(),
                    place: places.randomElement(using: &self)!, count: .random(in: 1...256, using: &self),
                    screen: .random(in: 0...9_999, using: &self), wantsBodies: .random(using: &self),
                    wantsMessages: .random(using: &self), wantsEditions: .random(using: &self),
                    wantsUnavailable: .random(using: &self),
                    rowVersion: RowVersion.allCases.randomElement(using: &self)!)),
            .page(window, [.older, .newer].randomElement(using: &self)!, count: .random(in: 1...256, using: &self)),
            .heights(window, start..<start + Int64(number(UInt32.self))),
            .rows(window, (0..<3).map { _ in MessageNumber(number()) }), .locate(window, y: number()),
            .position(window, try name()), .changes(window, since: cursor()),
            .resize(window, target(), screen: .random(in: 0...9_999, using: &self), perhaps { $0.anchor() }),
            .adjust(
                window, maxCount: .random(in: 1...500, using: &self), focus: .random(in: 0...1000, using: &self)),
            .hold(window, (0..<2).map { _ in anchor() }), .busy(window, .random(using: &self)),
            .read(window, from: perhaps { $0.number() }), .prewarm(try name(), [target(), target()]), .close(window),
            .preview(window, MessageDraft(Array(#"{"text":"Hello"}"#.utf8))), .ranges(window, try question()),
        ]
        var word = words.randomElement(using: &self)!
        if case .open(var opening) = word {
            opening.wantsFonts = .random(using: &self)
            word = .open(opening)
        }
        return word
    }

    /// - Parameter bodies: whether some rows have bodies, which are not layouts.
    mutating func gatewayWord(bodies: Bool = true) throws -> GatewayWord {
        var word = try anyGatewayWord()
        if !bodies { word.stripBodies() }
        return word
    }

    private mutating func anyGatewayWord() throws -> GatewayWord {
        let window = windowID()
        let words: [GatewayWord] = [
            .window(try windowReply()),
            .heights(
                HeightsReply(
                    window: window, cursor: cursor(), rank: .random(in: 0...9_999, using: &self), top: y(),
                    heights: (0..<5).map { _ in length() })),
            .rows(window, try windowRows()),
            .place(
                PlaceReply(
                    window: window, cursor: cursor(), rank: .random(in: 0...9_999, using: &self), top: y(),
                    row: try windowRow())),
            .changes(try changeSet()), .adjusted(window, try perhaps { try $0.changeSet() }), .done(window),
            .refused(window, WindowRefusal.allCases.randomElement(using: &self)!),
            .pending(window, try name(), order: number()), .unavailable(window, try name(), order: number()),
            .preview(window, PreviewReply(cursor: cursor(), row: try windowRow(), neighbours: [try windowRow()])),
            .ranges(window, try placedRanges()),
            .rejected(
                window,
                [.superseded, .forbidden, .invalid(EventFault(field: "sender", reason: "is missing"))]
                    .randomElement(using: &self)!),
            .unreadable("screen: -1 is not in 0...1048576"),
        ]
        return words.randomElement(using: &self)!
    }
}

extension GatewayWord {
    /// Removes the bodies of rows, as rows are before their bodies come.
    fileprivate mutating func stripBodies() {
        func stripped(_ row: WindowRow) -> WindowRow {
            var row = row
            row.body = nil
            return row
        }
        func stripped(_ set: ChangeSet) -> ChangeSet {
            var set = set
            for i in set.changes.indices {
                switch set.changes[i].kind {
                case .insert(let at, let rows): set.changes[i].kind = .insert(at: at, rows.map { stripped($0) })
                case .remove: break
                case .replace(let at, let row): set.changes[i].kind = .replace(at: at, stripped(row))
                case .move(let from, let to, let row):
                    set.changes[i].kind = .move(from: from, to: to, stripped(row))
                case .redecorate(let at, let row): set.changes[i].kind = .redecorate(at: at, stripped(row))
                }
            }
            return set
        }
        switch self {
        case .window(var reply):
            reply.rows = reply.rows.map { stripped($0) }
            self = .window(reply)
        case .rows(let window, let rows): self = .rows(window, rows.map { stripped($0) })
        case .place(var reply):
            reply.row = stripped(reply.row)
            self = .place(reply)
        case .changes(let set): self = .changes(stripped(set))
        case .adjusted(let window, let set): self = .adjusted(window, set.map { stripped($0) })
        case .preview(let window, var reply):
            reply.row = stripped(reply.row)
            reply.neighbours = reply.neighbours.map { stripped($0) }
            self = .preview(window, reply)
        case .heights, .done, .refused, .pending, .unavailable, .rejected, .ranges, .unreadable: break
        }
    }
}
