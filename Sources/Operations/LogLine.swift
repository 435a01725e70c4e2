import Foundation
import Secrets

/// One line of a log, before it is written.
struct LogLine {
    var level: Log.Level
    var component: String
    var message: String
    var fields: [(key: String, value: LogValue)]
    /// Lines of this kind that were left out before it.
    var missed: Int

    init(
        level: Log.Level, component: String, message: String, fields: some Sequence<(key: String, value: LogValue)>,
        missed: Int = 0
    ) {
        (self.level, self.component, self.message) = (level, component, message)
        (self.fields, self.missed) = (Array(fields), missed)
    }

    func text(_ format: Log.Format, showsIDs: Bool, time: String?) -> String {
        var members: [(key: String, value: LogValue)] = time.map { [("time", .text($0))] } ?? []
        members += [("level", .text(level.rawValue)), ("component", .text(component)), ("message", .text(message))]
        members += fields.map { ($0.key, showsIDs ? $0.value : $0.value.hidden) }
        if missed > 0 { members.append(("missed", .number(missed))) }
        switch format {
        case .logfmt: return members.map { "\($0.key)=\($0.value.logfmt)" }.joined(separator: " ")
        case .json: return "{" + members.map { "\($0.key.quoted):\($0.value.json)" }.joined(separator: ",") + "}"
        }
    }
}

extension LogValue {
    fileprivate var hidden: LogValue {
        guard case .id(let id) = self else { return self }
        return .text(HiddenID.text(of: id))
    }

    fileprivate var json: String {
        switch self {
        case .number(let number): "\(number)"
        case .text(let text), .id(let text): text.quoted
        }
    }

    /// The value as it is where it is one word, otherwise in quotes.
    fileprivate var logfmt: String {
        switch self {
        case .number(let number): "\(number)"
        case .text(let text), .id(let text): text.isWord ? text : text.quoted
        }
    }
}

/// The hash of an id in a log. It cannot be computed without the id of the machine, and is the same in all processes
/// of the machine, so that lines about the same message can be found.
enum HiddenID {
    private static let key: [UInt8] = {
        let path = ["/etc/machine-id", "/proc/sys/kernel/random/boot_id"].first {
            FileManager.default.isReadableFile(atPath: $0)
        }
        let machine = path.flatMap { FileManager.default.contents(atPath: $0) } ?? Data()
        return Fingerprint.of(Array("forme log ".utf8) + machine)
    }()

    static func text(of id: String) -> String {
        Fingerprint.of(Array(id.utf8), key: key).prefix(6).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

extension String {
    fileprivate var isWord: Bool {
        !isEmpty && utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "=") }
    }

    /// The text as a JSON string: nothing in it can end the line or the string, and control characters of terminals
    /// are escaped.
    fileprivate var quoted: String {
        var text = "\""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\t": text += "\\t"
            case _ where scalar.value < 0x20 || 0x7F...0x9F ~= scalar.value || 0x2028...0x202E ~= scalar.value:
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }
}
