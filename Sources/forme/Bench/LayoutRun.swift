import FormeLayout
import Glibc
import JSON
import MessageLayout
import Record
import Shaping
import Typography
import Wire

/// One thread that turns messages into records, as a worker does: how long all of it takes, and what takes how much.
struct LayoutRun: ~Copyable {
    private var composer: Composer
    private var shaper: Shaper
    private var encoder = RecordEncoder()
    private var sheet = LayoutSheet()
    private var record: [UInt8] = []

    init(style: StyleSheet, fonts: FontList, targets: [Target]? = nil) throws {
        var shaper = try Shaper(fonts: fonts)
        composer = Composer(style, targets: targets) { text, style, result in
            shaper.measure(text, style: style, into: &result)
        }
        self.shaper = shaper
    }

    /// What was done, and how long it took.
    struct Figures {
        var messages = 0
        var bytes = 0
        /// Processor time of all of it.
        var seconds = 0.0

        var perSecond: Double { Double(messages) / max(seconds, 1e-9) }
        var microseconds: Double { seconds * 1e6 / Double(max(1, messages)) }
    }

    /// JSON in, record out, with no look at the clock in between.
    mutating func run(_ messages: some Sequence<[UInt8]>) throws -> Figures {
        var figures = Figures()
        let start = ProcessorTime.now
        for message in messages {
            let value = try JSONValue.parse(message)
            try composer.layOut(JSONReader(value), into: &sheet) { text, style, result in
                shaper.measure(text, style: style, into: &result)
            }
            try encoder.encode(sheet, into: &record)
            figures.messages += 1
            figures.bytes += record.count
        }
        figures.seconds = ProcessorTime.now - start
        return figures
    }

    /// Microseconds of each stage to a message.
    struct Stages {
        var parse = 0.0
        var measure = 0.0
        var compose = 0.0
        var encode = 0.0

        var all: Double { parse + measure + compose + encode }
    }

    /// The same, with a look at the clock between the stages. Together they take a little longer than `run`.
    mutating func stages(of messages: some Collection<[UInt8]>) throws -> Stages {
        var stages = Stages()
        for message in messages {
            let start = Self.now
            let value = try JSONValue.parse(message)
            let parsed = Self.now
            var measuring = 0.0
            try composer.layOut(JSONReader(value), into: &sheet) { text, style, result in
                let begin = Self.now
                shaper.measure(text, style: style, into: &result)
                measuring += Self.now - begin
            }
            let composed = Self.now
            try encoder.encode(sheet, into: &record)
            stages.parse += parsed - start
            stages.measure += measuring
            stages.compose += composed - parsed - measuring
            stages.encode += Self.now - composed
        }
        let scale = 1e6 / Double(max(1, messages.count))
        return Stages(
            parse: stages.parse * scale, measure: stages.measure * scale, compose: stages.compose * scale,
            encode: stages.encode * scale)
    }

    /// Not processor time, for which the kernel would have to be asked: that takes as long as a stage.
    private static var now: Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}
