import Bytes
import JSON
package import MessageLayout
import Record
package import Shaping
package import Wire

/// Makes the row of a message for the cache: its key, its layouts and its measured texts.
package struct RowLayouter: ~Copyable {
    package let edition: Edition
    /// Targets that rows are laid out for beside those of the style.
    package internal(set) var added: [Target] = []
    var engine: LayoutEngine
    var encoder = RecordEncoder()
    var sheet = LayoutSheet()
    private var plan = HeightPlan([])
    private var heights = HeightReader()

    package struct Row: Equatable, Sendable {
        package var key: [UInt8]
        package var layout: [UInt8]
        package var measured: [UInt8]
        /// The list of its heights; empty only where its record cannot be read.
        package var heights: [UInt8] = []
        /// Its row template, and whether it belongs to a series.
        package var template: String
        package var joinsSeries: Bool
    }

    package init(style: StyleSheet, fonts: FontList) throws(FontError) {
        engine = try LayoutEngine(style: style, fonts: fonts, mostNodes: RecordLimits.nodes)
        edition = Edition(name: style.name, style: style, environment: LayoutEnvironment(fonts: fonts))
    }

    /// Hits and misses of the cache of words since the start.
    package var words: CacheTally { engine.words }

    /// Reads a message; throws if the style has no layout for it.
    package func checked(_ message: MessageState) throws(Objection) -> CheckedMessage {
        do throws(JSONError) {
            return try CheckedMessage(JSONReader(message.message()), of: edition.style)
        } catch {
            throw Objection(error.discreet)
        }
    }

    /// The key of all that layouts of the message depend on: if a row has it, there is nothing to lay out.
    package func key(of message: CheckedMessage) -> [UInt8] { LayoutKey(of: message, in: edition).digest.bytes }

    /// The row template of a message, and whether it belongs to a series; nil if that does not follow from its kind
    /// alone.
    package func role(of message: CheckedMessage) -> (template: String, joinsSeries: Bool)? {
        guard message.isKnown else { return nil }
        let template = message.template
        // Whether it is nothing but emoji is known only when it was measured.
        if let jumbo = template.jumbo, let other = edition.style.template(for: jumbo.kind),
            (other.rowTemplate, other.joinsSeries) != (template.rowTemplate, template.joinsSeries)
        {
            return nil
        }
        return (template.rowTemplate, template.joinsSeries)
    }

    /// Makes all layouts of a message, for the targets of the style and those that were added.
    package mutating func row(
        of message: CheckedMessage, reached: LayoutStage.Reached = { _ in }
    ) throws(Objection) -> Row {
        var row = Row(key: [], layout: [], measured: [], template: "", joinsSeries: true)
        engine.layOut(message, into: &sheet, reached: reached)
        row.key = key(of: message)
        reached(.key)
        do throws(ByteError) {
            try encoder.encode(sheet, into: &row.layout)
        } catch {
            throw Objection("\(error)")
        }
        reached(.encode)
        (row.template, row.joinsSeries) = (engine.composer.rowTemplate, engine.composer.joinsSeries)
        engine.composer.encodeMeasuredTexts(into: &row.measured)
        row.heights = listedHeights()
        reached(.texts)
        return row
    }

    /// The same, from a message as it comes to a worker.
    package mutating func row(
        of message: MessageState, reached: LayoutStage.Reached = { _ in }
    ) throws(Objection) -> Row {
        let message = try checked(message)
        reached(.parse)
        return try row(of: message, reached: reached)
    }

    /// The list of the heights in the sheet.
    mutating func listedHeights() -> [UInt8] {
        plan.turn(to: sheet.targets)
        return plan.list(sheet)
    }

    /// The list of the heights in a record that came without it; empty where the record cannot be read.
    package mutating func listedHeights(of layout: [UInt8]) -> [UInt8] {
        do throws(ByteError) {
            let record = try LayoutRecord(layout)
            plan.turn(to: record.targets)
            return plan.list(try heights.heights(of: record))
        } catch {
            return []
        }
    }
}

extension Edition {
    /// Two editions of one id lay out every message alike.
    package var id: EditionID {
        get throws(ByteError) { try EditionID(digest.description) }
    }
}
