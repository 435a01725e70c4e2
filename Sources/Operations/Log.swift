import Glibc
import Synchronization

/// The log of one part of a service, for its operator: a line for each event, on standard error.
///
///     log.warning("refused a frame", ["bytes": 17, "conversation": .id("c1")])
///     // level=warning component=coordinator message="refused a frame" bytes=17 conversation=4f3a9c01d2e7
///
/// No text of a message is ever a field. Ids are hashed, alike in all processes of a machine, except where the level
/// is `debug`. Lines of each kind are limited in their rate; the next one that passes says how many did not.
package struct Log: Sendable {
    package enum Format: String, CaseIterable, Sendable {
        case logfmt, json
    }

    package enum Level: String, CaseIterable, Sendable {
        case error, warning, info, debug
    }

    private static let settings = Mutex((format: Format.logfmt, level: Level.info))
    private static let budget = Mutex(LineBudget())

    /// Sets the format and the level of all logs of this process.
    package static func use(_ format: Format, _ level: Level) { settings.withLock { $0 = (format, level) } }

    private let component: String

    package init(_ component: String) { self.component = component }

    package func error(_ message: StaticString, _ fields: LogFields = [:]) { write(.error, message, fields) }
    package func warning(_ message: StaticString, _ fields: LogFields = [:]) { write(.warning, message, fields) }
    package func info(_ message: StaticString, _ fields: LogFields = [:]) { write(.info, message, fields) }
    package func debug(_ message: StaticString, _ fields: LogFields = [:]) { write(.debug, message, fields) }

    private func write(_ level: Level, _ message: StaticString, _ fields: LogFields) {
        let (format, least) = Self.settings.withLock { $0 }
        guard level.rank <= least.rank else { return }
        let kind = "\(component) \(message)"
        guard let missed = Self.budget.withLock({ $0.spend(on: kind, at: .now) }) else { return }
        let line = LogLine(level: level, component: component, message: "\(message)", fields: fields, missed: missed)
        let text = line.text(format, showsIDs: least == .debug, time: Journald.isReading ? nil : LogTime.now)
        let bytes = Array(((Journald.isReading ? "<\(level.priority)>" : "") + text + "\n").utf8)
        // One call, so that lines of several processes do not mix. There is nowhere to report a failure of this
        // write.
        _ = unsafe Glibc.write(STDERR_FILENO, bytes, bytes.count)
    }
}

package typealias LogFields = KeyValuePairs<String, LogValue>

package enum LogValue: Equatable, Sendable, ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral {
    case text(String)
    case number(Int)
    /// The id of a conversation, a message or a person: hashed, except at the level `debug` and in the audit trail.
    case id(String)

    package init(stringLiteral value: String) { self = .text(value) }
    package init(integerLiteral value: Int) { self = .number(value) }
}

extension Log.Level {
    /// The rank of a level: higher for more detail.
    fileprivate var rank: Int {
        switch self {
        case .error: 0
        case .warning: 1
        case .info: 2
        case .debug: 3
        }
    }

    /// The priority in syslog and in systemd's journal.
    var priority: Int {
        switch self {
        case .error: 3
        case .warning: 4
        case .info: 6
        case .debug: 7
        }
    }
}

/// The journal of systemd, which adds the time itself and reads the priority from the front of a line.
private enum Journald {
    /// Whether standard error leads to the journal. The variable alone may be inherited from a parent.
    static let isReading: Bool = {
        guard let variable = unsafe getenv("JOURNAL_STREAM") else { return false }
        var about = stat()
        guard unsafe fstat(STDERR_FILENO, &about) == 0 else { return false }
        let stream = unsafe String(cString: variable)
        return stream == "\(about.st_dev):\(about.st_ino)"
    }()
}

enum LogTime {
    /// The current time, such as `2026-03-01T12:00:00.250Z`.
    static var now: String {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return text(seconds: time.tv_sec, milliseconds: time.tv_nsec / 1_000_000)
    }

    static func text(seconds: Int, milliseconds: Int) -> String {
        var seconds = seconds
        var parts = unsafe tm()
        unsafe gmtime_r(&seconds, &parts)
        func digits(_ number: Int, _ count: Int = 2) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        let day = unsafe [parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday].map { digits(Int($0)) }
        let clock = unsafe [parts.tm_hour, parts.tm_min, parts.tm_sec].map { digits(Int($0)) }.joined(separator: ":")
        return "\(day.joined(separator: "-"))T\(clock).\(digits(milliseconds, 3))Z"
    }
}
