package import Bytes
import JSON
import MessageLayout
import Names
import Record
import Rows

/// An object that names its word, for people and scripts. Numbers are device pixels; absent values are left out.
extension GatewayWord {
    /// Throws where the layout of a row cannot be read.
    package func json() throws(ByteError) -> [UInt8] {
        var json = JSONWriter()
        let fonts = WordFonts(of: self)
        try json.object { (json) throws(ByteError) in
            switch self {
            case .window(let reply):
                json.key("window")
                try reply.write(to: &json, fonts)
            case .heights(let reply):
                json.key("heights")
                reply.write(to: &json)
            case .rows(let window, let rows):
                json.key("rows")
                try json.object { (json) throws(ByteError) in
                    json.member("window", window.number)
                    json.member(fonts)
                    try json.member("rows", rows, fonts)
                }
            case .place(let reply):
                json.key("place")
                try reply.write(to: &json)
            case .changes(let set):
                json.key("changes")
                try set.write(to: &json, fonts)
            case .adjusted(let window, let set):
                json.key("adjusted")
                try json.object { (json) throws(ByteError) in
                    json.member("window", window.number)
                    json.member("adjusted", set != nil)
                    guard let set else { return }
                    json.key("changes")
                    try set.write(to: &json, fonts)
                }
            case .done(let window):
                json.key("done")
                json.object { $0.member("window", window.number) }
            case .refused(let window, let refusal):
                json.key("refused")
                json.object {
                    $0.member("window", window.number)
                    $0.member("because", "\(refusal)")
                }
            case .pending(let window, let message, let order):
                json.key("pending")
                json.object { $0.members(window, message, order) }
            case .unavailable(let window, let message, let order):
                json.key("unavailable")
                json.object { $0.members(window, message, order) }
            case .preview(let window, let reply):
                json.key("preview")
                try reply.write(to: &json, window, fonts)
            case .rejected(let window, let rejection):
                json.key("rejected")
                rejection.write(to: &json, window)
            case .ranges(let window, let reply):
                json.key("ranges")
                reply.write(to: &json, window)
            case .unreadable(let reason):
                json.key("unreadable")
                json.object { $0.member("because", reason) }
            }
        }
        return json.bytes
    }
}

extension JSONWriter {
    /// Writes the members of a word about a message that has no row.
    fileprivate mutating func members(_ window: WindowID, _ message: MessageID, _ order: Int64) {
        member("window", window.number)
        member("message", message.text)
        member("order", order)
    }
}

extension WindowReply {
    fileprivate func write(to json: inout JSONWriter, _ fonts: WordFonts?) throws(ByteError) {
        try json.object { (json) throws(ByteError) in
            json.member("window", window.number)
            json.member("part", "\(part)")
            json.member("reason", "\(reason)")
            frame.write(to: &json)
            json.member("insertedAbove", insertedAbove)
            if let firstVisible {
                json.key("firstVisible")
                json.object {
                    $0.member("row", firstVisible.row.number)
                    $0.member("y", firstVisible.y)
                }
            }
            json.member("contentFits", contentFits)
            json.key("prefetch")
            json.object {
                if let older = prefetch.older { $0.member("olderAbove", older) }
                if let newer = prefetch.newer { $0.member("newerBelow", newer) }
            }
            json.member(fonts)
            try json.member("rows", rows, fonts)
        }
    }
}

extension HeightsReply {
    fileprivate func write(to json: inout JSONWriter) {
        json.object {
            $0.member("window", window.number)
            $0.key("cursor")
            cursor.write(to: &$0)
            $0.member("rank", rank)
            $0.member("top", top)
            $0.key("heights")
            $0.array { for height in heights { $0.integer(height) } }
        }
    }
}

extension PlaceReply {
    fileprivate func write(to json: inout JSONWriter) throws(ByteError) {
        try json.object { (json) throws(ByteError) in
            json.member("window", window.number)
            json.key("cursor")
            cursor.write(to: &json)
            json.member("rank", rank)
            json.member("top", top)
            json.key("row")
            try row.write(to: &json, nil)
        }
    }
}

extension PreviewReply {
    fileprivate func write(to json: inout JSONWriter, _ window: WindowID, _ fonts: WordFonts?) throws(ByteError) {
        try json.object { (json) throws(ByteError) in
            json.member("window", window.number)
            json.key("cursor")
            cursor.write(to: &json)
            json.member(fonts)
            json.key("row")
            try row.write(to: &json, fonts)
            try json.member("neighbours", neighbours, fonts)
        }
    }
}

extension DraftRejection {
    fileprivate func write(to json: inout JSONWriter, _ window: WindowID) {
        json.object {
            $0.member("window", window.number)
            switch self {
            case .superseded: $0.member("because", "superseded")
            case .forbidden: $0.member("because", "forbidden")
            case .invalid(let fault):
                $0.member("because", "invalid")
                $0.member("field", fault.field)
                $0.member("reason", fault.reason)
            }
        }
    }
}

extension ChangeSet {
    fileprivate func write(to json: inout JSONWriter, _ fonts: WordFonts?) throws(ByteError) {
        try json.object { (json) throws(ByteError) in
            json.member("window", window.number)
            json.key("since")
            since.write(to: &json)
            frame.write(to: &json)
            json.key("anchors")
            json.array { json in
                for anchor in anchors {
                    json.object {
                        $0.key("anchor")
                        anchor.anchor.write(to: &$0)
                        $0.member("delta", anchor.delta)
                    }
                }
            }
            json.member(fonts)
            json.key("changes")
            try json.array { (json) throws(ByteError) in for change in changes { try change.write(to: &json, fonts) } }
        }
    }
}

extension WindowChange {
    fileprivate func write(to json: inout JSONWriter, _ fonts: WordFonts?) throws(ByteError) {
        try json.object { (json) throws(ByteError) in
            switch kind {
            case .insert(let at, let rows):
                json.member("insert", at)
                try json.member("rows", rows, fonts)
            case .remove(let at, let count):
                json.member("remove", at)
                json.member("count", count)
            case .replace(let at, let row):
                json.member("replace", at)
                try json.member("rows", [row], fonts)
            case .move(let from, let to, let row):
                json.member("move", from)
                json.member("to", to)
                try json.member("rows", [row], fonts)
            case .redecorate(let at, let row):
                json.member("redecorate", at)
                try json.member("rows", [row], fonts)
            }
            json.member("heightDelta", heightDelta)
            json.member("class", "\(change)")
            json.member("reason", "\(reason)")
        }
    }
}

extension WindowFrame {
    fileprivate func write(to json: inout JSONWriter) {
        json.key("cursor")
        cursor.write(to: &json)
        json.member("edition", edition.text)
        if isOld { json.member("isOld", true) }
        json.member("hasOlder", hasOlder)
        json.member("hasNewer", hasNewer)
        json.member("rowsAbove", rowsAbove)
        json.member("rowsBelow", rowsBelow)
        json.member("top", top)
        json.key("extent")
        json.array {
            $0.integer(extent.lowerBound)
            $0.integer(extent.upperBound)
        }
    }
}

extension JSONWriter {
    fileprivate mutating func member(
        _ name: String, _ rows: [WindowRow], _ fonts: WordFonts?
    ) throws(ByteError) {
        key(name)
        try array { (json) throws(ByteError) in for row in rows { try row.write(to: &json, fonts) } }
    }

    /// Writes the list of files to which rows refer by place.
    fileprivate mutating func member(_ fonts: WordFonts?) {
        guard let fonts else { return }
        key("fonts")
        array { json in for file in fonts.files { json.string(file.text) } }
    }
}

extension WindowRow {
    fileprivate func write(to json: inout JSONWriter, _ fonts: WordFonts?) throws(ByteError) {
        try json.object { (json) throws(ByteError) in
            json.member("row", number.number)
            json.member("message", message.text)
            json.member("order", order)
            json.member("height", height)
            json.member("lead", lead)
            json.member("strip", strip)
            guard let body else { return }
            if let filler = body.filler {
                json.key("edition")
                json.string(filler.text)
            }
            if let fonts, let own = body.fonts {
                json.key("fonts")
                json.array { json in for place in fonts.places(of: own) { json.integer(place) } }
            }
            json.key("decoration")
            body.decoration.write(to: &json)
            if let excerpt = RowExcerpt(of: body.layout) {
                json.key("excerpt")
                excerpt.write(to: &json)
            }
            // Questions about its texts name the row by this mark.
            if let mark = body.mark { json.member("mark", mark.text) }
            var page = LayoutRows()
            try page.append(body.layout)
            guard !page.rows[0].states.isEmpty else { throw .empty("states") }
            json.key("layout")
            let layout = page.model(row: 0)
            json.object { layout.writeMembers(to: &$0, runs: body.measures?.runs(of: layout)) }
            if page.isExpandable(0) {
                json.key("expanded")
                let layout = page.model(row: 0, state: 1)
                json.object { layout.writeMembers(to: &$0, runs: body.measures?.runs(of: layout)) }
            }
            if let message = body.message {
                json.key("said")
                json.raw(message)
            }
        }
    }
}

extension WindowRow.Body.Measures {
    /// The runs of a layout; nil where the measures are of another one, as those of rows from before version 2 may be.
    fileprivate func runs(of layout: LayoutModel) -> LayoutModel.Runs? {
        do throws(StoredMessageError) {
            let texts = try ShownTexts(layout, StoredTexts(checking: texts), on: target)
            return { texts.runs(of: $0) }
        } catch {
            return nil
        }
    }
}

extension RowExcerpt {
    fileprivate func write(to json: inout JSONWriter) {
        json.object {
            $0.member("mark", mark.text)
            $0.member("from", lines.lowerBound)
            $0.member("to", lines.upperBound)
            $0.member("of", lineCount)
        }
    }
}

extension Decoration {
    fileprivate func write(to json: inout JSONWriter) {
        json.object {
            $0.member("variant", "\(variant)")
            $0.member("series", "\(series)")
            $0.member("gapAbove", gapAbove)
            $0.member("gapBelow", gapBelow)
            $0.member("content", content)
            if let dateLine {
                $0.member("dateLine", dateLine.frame)
                let date = dateLine.day.date
                $0.key("day")
                $0.array {
                    $0.integer(date.year)
                    $0.integer(date.month)
                    $0.integer(date.day)
                }
            }
            for (name, frame) in [
                ("unreadLine", unreadLine), ("avatar", avatar), ("failedIcon", failedIcon),
                ("selectionHandle", selectionHandle),
            ] {
                if let frame { $0.member(name, frame) }
            }
            $0.key("radii")
            $0.array {
                for corner in [Corners.topStart, .topEnd, .bottomStart, .bottomEnd] {
                    $0.integer(bubble.smallCorners.contains(corner) ? bubble.smallRadius : bubble.largeRadius)
                }
            }
            if bubble.hasTail { $0.member("tail", true) }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func member(_ name: String, _ frame: PixelRect) {
        key(name)
        array { for value in [frame.left, frame.top, frame.width, frame.height] { $0.integer(value) } }
    }
}
