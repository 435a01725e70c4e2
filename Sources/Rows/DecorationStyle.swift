package import JSON
import MessageLayout
package import Typography

/// The decoration of the rows of a conversation: the `decoration` object of a style file.
///
/// It holds rules and lengths in points. Nothing in it changes the stored data of a message, so editing it lays out
/// nothing again, except for `contentRoom(of:on:)`, the width that a message may have.
package struct DecorationStyle: Hashable, Sendable {
    package var series: SeriesRule
    /// Templates with different names, never none; the first is for rows that name one which is not here.
    package var templates: [RowTemplate]
    package var gaps: RowGaps
    package var corners: CornerRule
    /// Nil for a style that has no date lines; likewise for the next three.
    package var dateLine: LineMeasure?
    package var unreadLine: LineMeasure?
    package var failedIcon: FailedIcon?
    package var selectionHandle: SelectionHandle?
    package var kinds: RowKinds

    package func template(named name: String) -> RowTemplate {
        templates.first { $0.name == name } ?? templates[0]
    }

    package func corners(of template: RowTemplate) -> CornerRule { template.guest?.corners ?? corners }

    package func failedIcon(of template: RowTemplate) -> FailedIcon? {
        template.guest.map(\.failedIcon) ?? failedIcon
    }

    package func selectionHandle(of template: RowTemplate) -> SelectionHandle? {
        template.guest.map(\.selectionHandle) ?? selectionHandle
    }

    /// The name of a template in series: templates with the same name here count as one.
    package func seriesName(of template: String) -> String {
        templates.first { $0.name == template }?.guest?.template ?? template
    }

    /// - Parameters:
    ///   - status: the status of a message, as JSON.
    ///   - template: the template of its row.
    package func hasFailed(_ status: [UInt8]?, in template: String) -> Bool {
        guard let status, let failedIcon = failedIcon(of: self.template(named: template)) else { return false }
        return failedIcon.statuses.contains { status.elementsEqual("\"\($0)\"".utf8) }
    }
}

extension StyleSheet {
    /// The decoration of the rows around its messages; nil if its file has none.
    package func decoration() throws(JSONError) -> DecorationStyle? {
        guard let decorationSource else { return nil }
        return try DecorationStyle(decorationSource)
    }

    /// Statuses of messages that were not sent. A decoration that cannot be read has none: its error is reported
    /// where the style is read.
    package var failedStatuses: [String] {
        do throws(JSONError) { return try decoration()?.failedIcon?.statuses ?? [] } catch { return [] }
    }
}

/// A line above a row, as wide as the row. Its height grows with the reader's text size.
package struct LineMeasure: Hashable, Sendable {
    package var height: Fixed
    /// The gap below it.
    package var gap: Fixed
}

/// The mark of a message that was not sent, shown to its sender.
package struct FailedIcon: Hashable, Sendable {
    package var size: Fixed
    /// The gap to the content.
    package var gap: Fixed
    package var place: Place
    /// The statuses that mean that a message was not sent.
    package var statuses: [String]

    package enum Place: Hashable, Sendable {
        /// Between the content and the edge of the row where it stands. Its room is kept free in all of the reader's
        /// rows: a message that fails stays where it is.
        case edge
        /// On the other side of the content.
        case beside
    }
}

/// The handle at the start of a row, which is ticked while messages are selected.
package struct SelectionHandle: Hashable, Sendable {
    package var size: Fixed
    /// The gap to the thing beside it.
    package var gap: Fixed
}

/// The names of the kinds of rows and lines that no event brings.
package struct RowKinds: Hashable, Sendable {
    package var dateLine: String
    package var unreadLine: String
    package var typing: String
    package var deleted: String
}

extension DecorationStyle {
    package init(_ reader: JSONReader) throws(JSONError) {
        let fields = try reader.object(knownKeys: [
            "series", "templates", "gaps", "corners", "dateLine", "unreadLine", "failedIcon", "selectionHandle",
            "kinds",
        ])
        series = try SeriesRule(fields.required("series"))
        templates = try RowTemplate.list(fields.required("templates"))
        gaps = try RowGaps(fields.required("gaps"))
        corners = try CornerRule(fields.required("corners"))
        dateLine = try fields.optional("dateLine").map(LineMeasure.init(_:))
        unreadLine = try fields.optional("unreadLine").map(LineMeasure.init(_:))
        failedIcon = try fields.optional("failedIcon").map(FailedIcon.init(_:))
        selectionHandle = try fields.optional("selectionHandle").map(SelectionHandle.init(_:))
        kinds = try RowKinds(fields.required("kinds"))
    }
}

extension LineMeasure {
    init(_ reader: JSONReader) throws(JSONError) {
        let fields = try reader.object(knownKeys: ["height", "gap"])
        height = try fields.required("height").points()
        gap = try fields.required("gap").points()
    }
}

extension FailedIcon {
    init(_ reader: JSONReader) throws(JSONError) {
        let fields = try reader.object(knownKeys: ["size", "gap", "at", "statuses"])
        size = try fields.required("size").points()
        gap = try fields.required("gap").points()
        place = try fields.required("at").choice(["edge": .edge, "beside": .beside])
        statuses = []
        for status in try fields.optional("statuses")?.elements() ?? [] { statuses.append(try status.string()) }
    }
}

extension SelectionHandle {
    init(_ reader: JSONReader) throws(JSONError) {
        let fields = try reader.object(knownKeys: ["size", "gap"])
        size = try fields.required("size").points()
        gap = try fields.required("gap").points()
    }
}

extension RowKinds {
    init(_ reader: JSONReader) throws(JSONError) {
        let fields = try reader.object(knownKeys: ["dateLine", "unreadLine", "typing", "deleted"])
        dateLine = try fields.required("dateLine").name()
        unreadLine = try fields.required("unreadLine").name()
        typing = try fields.required("typing").name()
        deleted = try fields.required("deleted").name()
    }
}
