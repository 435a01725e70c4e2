import FormeLayout
import Foundation
import JSON
import MessageLayout
import Shaping
import Typography

/// How fast messages are laid out, from JSON to record: plain texts, one more target, and every kind.
struct LayoutReport {
    let texts: LayoutRun.Figures
    let stages: LayoutRun.Stages
    /// Time with one more target, to the time without it.
    let oneMoreTarget: Double
    let kinds: [Kind]
    let rounds: Int

    struct Kind {
        let name: String
        let microseconds: Double
        let bytes: Int
    }

    init(
        style: StyleSheet, fonts: () throws -> FontList, texts: BenchTexts, kinds: [(name: String, message: [UInt8])],
        rounds: Int
    ) throws {
        let warming = texts.warming.map(Self.message)
        let measured = texts.measured.map(Self.message)
        var usual = try LayoutRun(style: style, fonts: fonts())
        var wider = try LayoutRun(style: style, fonts: fonts(), targets: style.targets.withOneMore)
        _ = try usual.run(warming)
        _ = try wider.run(warming)
        // One behind the other in every round: what else the machine does meets both.
        var figures: [LayoutRun.Figures] = []
        var ratios: [Double] = []
        for _ in 0..<rounds {
            let one = try usual.run(measured)
            let other = try wider.run(measured)
            figures.append(one)
            ratios.append(other.seconds / one.seconds)
        }
        self.texts = figures.sorted { $0.seconds < $1.seconds }[rounds / 2]
        oneMoreTarget = ratios.sorted()[rounds / 2]
        stages = try usual.stages(of: measured)
        self.kinds = try kinds.map { kind in
            var runs: [LayoutRun.Figures] = []
            for _ in 0..<rounds { runs.append(try usual.run(repeatElement(kind.message, count: 2_000))) }
            let median = runs.sorted { $0.seconds < $1.seconds }[rounds / 2]
            return Kind(
                name: kind.name, microseconds: median.microseconds, bytes: median.bytes / max(1, median.messages))
        }
        self.rounds = rounds
    }

    /// A text as an event brings it.
    static func message(_ text: String) -> [UInt8] {
        var json = JSONWriter()
        json.object {
            for (key, value) in [("kind", "text"), ("text", text), ("name", "Ada Lovelace"), ("status", "sent")] {
                $0.key(key)
                $0.string(value)
            }
        }
        return json.bytes
    }

    /// The first fixture of every kind.
    static func kinds(in folder: String) throws -> [(name: String, message: [UInt8])] {
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".jsonl") }
            .sorted()
        return try files.map { file in
            let bytes = try Data(contentsOf: URL(filePath: "\(folder)/\(file)"))
            return (String(file.dropLast(6)), Array(bytes.prefix { $0 != 0x0a }))
        }
    }
}

extension [Target] {
    /// A width between two others, at the scale of the first.
    fileprivate var withOneMore: [Target] {
        guard count > 1, self[0].scale == self[1].scale else { return self + self.prefix(1) }
        var more = self
        more.insert(
            Target(
                width: Fixed(raw: (self[0].width.raw + self[1].width.raw) / 2), scale: self[0].scale,
                textScale: self[0].textScale), at: 1)
        return more
    }
}

extension LayoutReport {
    var table: String {
        let text = kinds.first { $0.name == "text" }?.microseconds ?? texts.microseconds
        return Columns.aligned([
            ["plain texts of 97 characters, from JSON to record", ""],
            ["messages per second", "\(Int(texts.perSecond).formatted())"],
            ["µs to a message", tenths(texts.microseconds)],
            ["bytes to a record", "\(texts.bytes / max(1, texts.messages))"],
            ["one more target costs", "\(tenths((oneMoreTarget - 1) * 100)) %"],
        ]) + "\n\n"
            + Columns.aligned([
                ["of which", "µs", "%"],
                ["parse", tenths(stages.parse), tenths(stages.parse / stages.all * 100)],
                ["measure", tenths(stages.measure), tenths(stages.measure / stages.all * 100)],
                ["compose", tenths(stages.compose), tenths(stages.compose / stages.all * 100)],
                ["encode", tenths(stages.encode), tenths(stages.encode / stages.all * 100)],
            ]) + "\n\n"
            + Columns.aligned(
                [["one message of each kind", "µs", "to a text", "bytes"]]
                    + kinds.map {
                        [$0.name, tenths($0.microseconds), "\(tenths($0.microseconds / text)) ×", "\($0.bytes)"]
                    })
                + """


                Seconds of processor time of one thread, all targets and variants; medians of \(rounds) rounds. Caches are warmed on \
                one half of the texts
                and measured on the other; no text is seen twice. Kinds are the same message again and again.
                """
    }

    var json: String {
        var json = JSONWriter()
        json.object { json in
            json.figure("messages_per_second", texts.perSecond)
            json.figure("us_per_message", texts.microseconds)
            json.figure("one_more_target_percent", (oneMoreTarget - 1) * 100)
            json.figure("parse_us", stages.parse)
            json.figure("measure_us", stages.measure)
            json.figure("compose_us", stages.compose)
            json.figure("encode_us", stages.encode)
            json.key("kinds")
            json.object { json in for kind in kinds { json.figure(kind.name, kind.microseconds) } }
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private func tenths(_ value: Double) -> String { String(format: "%.1f", value) }
}

extension JSONWriter {
    fileprivate mutating func figure(_ name: String, _ value: Double) {
        key(name)
        decimal(value, places: 2)
    }
}
