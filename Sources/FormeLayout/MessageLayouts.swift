import Bytes
import Foundation
import Glibc
import JSON
import MessageLayout
import Record
import Shaping
import Wire

/// Layout of messages inside your program, for messages that no service may see: a chat with end-to-end encryption
/// lays them out on the device that sends or receives.
///
///     let layouts = try MessageLayouts(style: "styles/bubble.json5", fonts: "fonts.json5")
///     let record = try layouts.record(of: Array(#"{"kind":"text","text":"Hello"}"#.utf8))
///     print(try MessageLayouts.model(in: record))
///
/// It needs milliseconds to open, and keeps the texts that it has shaped: make one and use it for many messages. It
/// belongs to the thread that uses it; another thread makes its own.
public final class MessageLayouts {
    /// The style's names for the looks of a message to different readers: own, other, other with name.
    public let variants: [String]
    /// The screens for which a record has layouts, in its order.
    public let targets: [LayoutTarget]
    private var engine: LayoutEngine
    private var sheet = LayoutSheet()
    private var encoder = RecordEncoder()
    private let edition: Edition

    /// `style` and `fonts` are files such as `config/styles/bubble.json5` and `config/fonts.json5` of Forme. Without
    /// `targets`, layouts are for those that the style names.
    public init(style: String, fonts: String, targets: [LayoutTarget] = []) throws(MessageLayoutsError) {
        let sheet = try MessageLayouts.sheet(style)
        var wanted = sheet.targets
        if !targets.isEmpty { wanted = try targets.map { (target) throws(MessageLayoutsError) in try target.exact } }
        do {
            let list = try MessageLayouts.list(fonts)
            try StyleFiles.check(sheet, of: style, with: list.families)
            engine = try LayoutEngine(style: sheet, fonts: list, targets: wanted, mostNodes: RecordLimits.nodes)
            edition = Edition(
                name: sheet.name, style: sheet, targets: wanted, environment: LayoutEnvironment(fonts: list))
        } catch {
            throw .fonts("\(error)")
        }
        variants = sheet.variants
        self.targets = wanted.map(LayoutTarget.init(_:))
    }

    /// All layouts of a message, as few bytes. `message` is JSON: its kind, and the fields that the style's file for
    /// that kind names. The same message has the same bytes on every machine.
    public func record(of message: [UInt8]) throws(MessageLayoutsError) -> [UInt8] {
        engine.layOut(try checked(message), into: &sheet)
        var record: [UInt8] = []
        do { try encoder.encode(sheet, into: &record) } catch { throw .message("\(error)") }
        return record
    }

    /// The key to store a record under: 16 bytes that are equal for two messages only if their records are, in this
    /// version and in others, with this style and with others.
    public func key(of message: [UInt8]) throws(MessageLayoutsError) -> [UInt8] {
        LayoutKey(of: try checked(message), in: edition).digest.bytes
    }

    /// One layout of a record as JSON: the places of all nodes, in device pixels. `target` and `variant` are places
    /// in `targets` and `variants`. A record without an expanded state gives the collapsed one.
    public static func model(
        in record: [UInt8], target: Int = 0, variant: Int = 0, isExpanded: Bool = false
    ) throws(MessageLayoutsError) -> String {
        do {
            let record = try LayoutRecord(record)
            let state = isExpanded ? record.stateCount - 1 : 0
            guard record.targets.indices ~= target else { throw ByteError.outOfRange(Int64(target), of: "target") }
            guard 0..<record.variantCount ~= variant else { throw ByteError.outOfRange(Int64(variant), of: "variant") }
            let model = try record.model(target: target, variant: variant, state: state)
            var json = JSONWriter()
            json.object { model.writeMembers(to: &$0) }
            return String(decoding: json.bytes, as: UTF8.self)
        } catch {
            throw .record("\(error)")
        }
    }

    private func checked(_ message: [UInt8]) throws(MessageLayoutsError) -> CheckedMessage {
        do throws(JSONError) {
            let document = JSONDocument(name: "message", bytes: message, dialect: .json)
            return try document.read { (reader) throws(JSONError) in
                try CheckedMessage(reader, of: edition.style)
            }
        } catch {
            throw .message("\(error)")
        }
    }

    private static func sheet(_ path: String) throws(MessageLayoutsError) -> StyleSheet {
        do { return try StyleFiles.open(path) } catch { throw .style("\(error)") }
    }

    private static func list(_ path: String) throws -> FontList {
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw FontError.unreadable(path: path, code: errno)
        }
        return try FontCatalog().open(FontConfiguration.families(Array(bytes), from: path))
    }
}

/// The reason why something could not be opened or laid out: the mistake, and its place.
public enum MessageLayoutsError: Error, Hashable, Sendable {
    case style(String)
    case fonts(String)
    case target(LayoutTarget)
    case message(String)
    case record(String)
}
