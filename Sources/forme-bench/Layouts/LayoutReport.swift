import Console
import Flood
import Foundation
import JSON
import MessageLayout
import Shaping
import Typography
import Wire

/// The speed at which a worker lays messages out, from an event's body to a row: plain texts, messages as people send
/// them, every kind of these, and the cost of more targets.
struct LayoutReport {
    private var lines: [Line] = []
    /// The time for so many targets, divided by the time for thirteen.
    private var targets: [(count: Int, ratio: Double)] = []
    /// Time and bytes of the style's targets, divided by those of thirteen that had been enough, by the messages laid
    /// out.
    private var grown: [(name: String, time: Double, bytes: Double)] = []
    private let ownTargets: Int
    private let rounds: Int

    struct Line {
        var name: String
        /// The number of such messages in a thousand; nil where they are no kind of the mix.
        var weight: Double?
        var figures: LayoutRun.Figures
        /// Microseconds of each stage to a message; their sum is scaled to the whole.
        var stages: [Double]
    }

    static let plain = "plain text"
    static let plainOnThirteen = "plain text, 13 targets"
    static let all = "all kinds"

    /// The messages to lay out.
    enum Wanted: Equatable {
        case everything
        /// Plain texts, and nothing else.
        case plain
        case kind(MessageMix.Kind)
    }

    /// - Parameter messages: the number of messages in a run; every other one only warms caches.
    init(
        style: StyleSheet, fonts: () throws -> FontList, wanted: Wanted = .everything, messages: Int, rounds: Int
    ) throws {
        self.rounds = rounds
        ownTargets = style.targets.count
        let mix = MessageMix.standard
        var run = try LayoutRun(style: style, fonts: fonts())
        if wanted == .everything || wanted == .plain {
            let texts = try BenchTexts.latin(2 * messages)
            let (warming, measured) = try (texts.warming.map(Self.state), texts.measured.map(Self.state))
            lines.append(try Self.line(Self.plain, nil, warming, measured, &run, rounds))
            if wanted == .plain { return }
            var thirteen = try LayoutRun(style: style.prepared(for: Self.thirteen), fonts: fonts())
            lines.append(try Self.line(Self.plainOnThirteen, nil, warming, measured, &thirteen, rounds))
            for count in [ownTargets + 1, 32, 64] {
                var wider = try LayoutRun(style: style, fonts: fonts(), targets: count)
                _ = try wider.run(warming)
                // The two run one behind the other in every round, so that other work of the machine meets both.
                let ratios = try (0..<rounds).map { _ in
                    let few = try thirteen.run(measured)
                    return try wider.run(measured).seconds / few.seconds
                }
                targets.append((count, ratios.sorted()[rounds / 2]))
            }
            grown.append(try Self.grown(Self.plain, warming, measured, &run, beside: &thirteen, rounds))
            var bodies = Bodies(mix, seed: 7)
            lines.append(try Self.line(Self.all, nil, &bodies, messages, &run, rounds))
            let others = try (0..<2 * messages).map { _ in
                let next = bodies.next()
                return try LayoutRun.state(next.body, sender: next.sender)
            }
            grown.append(
                try Self.grown(
                    Self.all, Array(others[..<messages]), Array(others[messages...]), &run, beside: &thirteen, rounds))
        }
        for (own, weight) in zip(mix.kinds, mix.weights) where wanted == .everything || wanted == .kind(own) {
            var bodies = Bodies(mix.only(own), seed: 7)
            lines.append(try Self.line(own.rawValue, weight, &bodies, max(2, messages / 5), &run, rounds))
        }
    }

    /// The targets that styles were laid out for before the screens of today. Goals are about these.
    static let thirteen =
        [320, 360, 375, 390, 414, 480].flatMap { width in
            [Scale.two, .three].map { Target(width: .points(width), scale: $0, textScale: .one) }
        } + [Target(width: .points(640), scale: Scale(thousandths: 1000), textScale: .one)]

    /// Compares two runs, one behind the other in every round.
    private static func grown(
        _ name: String, _ warming: [MessageState], _ measured: [MessageState], _ run: inout LayoutRun,
        beside other: inout LayoutRun, _ rounds: Int
    ) throws -> (name: String, time: Double, bytes: Double) {
        _ = try run.run(warming)
        _ = try other.run(warming)
        var (times, bytes): ([Double], Double) = ([], 0)
        for _ in 0..<rounds {
            let (before, own) = try (other.run(measured), run.run(measured))
            times.append(own.seconds / before.seconds)
            bytes = Double(own.recordBytes) / Double(max(1, before.recordBytes))
        }
        return (name, times.sorted()[rounds / 2], bytes)
    }

    private static func state(_ text: String) throws -> MessageState { try LayoutRun.state(BenchTexts.message(text)) }

    private static func line(
        _ name: String, _ weight: Double?, _ bodies: inout Bodies, _ count: Int, _ run: inout LayoutRun, _ rounds: Int
    ) throws -> Line {
        let states = try (0..<2 * count).map { _ in
            let next = bodies.next()
            return try LayoutRun.state(next.body, sender: next.sender)
        }
        return try line(name, weight, Array(states[..<count]), Array(states[count...]), &run, rounds)
    }

    private static func line(
        _ name: String, _ weight: Double?, _ warming: [MessageState], _ measured: [MessageState],
        _ run: inout LayoutRun, _ rounds: Int
    ) throws -> Line {
        _ = try run.run(warming)
        var runs: [LayoutRun.Figures] = []
        var stages: [[Double]] = []
        for _ in 0..<rounds {
            runs.append(try run.run(measured))
            stages.append(try run.stages(of: measured))
        }
        let figures = runs.sorted { $0.seconds < $1.seconds }[rounds / 2]
        let medians = LayoutStage.allCases.map { stage in stages.map { $0[stage.rawValue] }.sorted()[rounds / 2] }
        // The time for looks at the clock is taken out again.
        let scale = figures.microseconds / max(medians.reduce(0, +), 1e-9)
        return Line(name: name, weight: weight, figures: figures, stages: medians.map { $0 * scale })
    }
}

extension LayoutReport {
    var table: String {
        let stages = LayoutStage.allCases.map { $0 == .texts ? "texts" : "\($0)" }
        let weighed = lines.reduce(0) { $0 + ($1.weight ?? 0) * $1.figures.microseconds }
        var rows = [["µs to a message, one core", "of 1,000", "share", "all"] + stages + ["record", "texts"]]
        for line in lines {
            let share = line.weight.map { "\(tenths($0 * line.figures.microseconds / weighed * 100)) %" }
            rows.append(
                [line.name, line.weight.map { "\(Int($0))" } ?? "", share ?? "", tenths(line.figures.microseconds)]
                    + line.stages.map(tenths)
                    + [line.figures.recordBytes, line.figures.textBytes].map {
                        "\($0 / max(1, line.figures.messages)) B"
                    })
        }
        var table = Columns.aligned(rows) + "\n\n"
        let plain = lines.filter { [Self.plain, Self.plainOnThirteen].contains($0.name) }
        if !plain.isEmpty {
            table +=
                Columns.aligned(
                    plain.map {
                        ["\($0.name) of 97 characters: messages a second", "\(Int($0.figures.perSecond).formatted())"]
                    }
                        + targets.map {
                            ["plain text, \($0.count) targets instead of thirteen", "\(hundredths($0.ratio)) ×"]
                        }
                        + grown.map {
                            [
                                "\(ownTargets) targets instead of the thirteen of before, \($0.name): time, bytes of records",
                                "\(hundredths($0.time)) ×, \(hundredths($0.bytes)) ×",
                            ]
                        })
                + "\n\n"
        }
        return table + """
            All that a worker does between an event's body and a row: the message is parsed, planned, measured and solved for all \
            targets and variants;
            its key, its record and its measured texts are made. Processor time of one thread, medians of \(rounds) rounds. Stages are \
            timed in runs of
            their own and brought to the same sum. All but plain texts are bodies that `forme flood` posts. Caches are warmed on as \
            many others.
            """
    }

    var json: String {
        var json = JSONWriter()
        json.object { json in
            json.key("messages")
            json.object { json in
                for line in lines {
                    json.key(line.name)
                    json.object { line.write(to: &$0) }
                }
            }
            json.key("more_to_thirteen_targets")
            json.object { json in for target in targets { json.figure("\(target.count)", target.ratio) } }
            json.key("to_thirteen_targets")
            json.object { json in
                for one in grown {
                    json.key(one.name)
                    json.object { json in
                        json.figure("time", one.time)
                        json.figure("record_bytes", one.bytes)
                    }
                }
            }
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private func tenths(_ value: Double) -> String { String(format: "%.1f", value) }
    private func hundredths(_ value: Double) -> String { String(format: "%.2f", value) }
}

extension LayoutReport.Line {
    fileprivate func write(to json: inout JSONWriter) {
        if let weight { json.figure("of_1000", weight) }
        json.figure("per_second", figures.perSecond)
        json.figure("us", figures.microseconds)
        for stage in LayoutStage.allCases { json.figure("\(stage)_us", stages[stage.rawValue]) }
        json.figure("record_bytes", Double(figures.recordBytes) / Double(max(1, figures.messages)))
        json.figure("text_bytes", Double(figures.textBytes) / Double(max(1, figures.messages)))
    }
}

extension JSONWriter {
    fileprivate mutating func figure(_ name: String, _ value: Double) {
        key(name)
        decimal(value, places: 2)
    }
}
