import FormeLayout
import Glibc
import MessageLayout
import Names
import Shaping
import Typography
import Wire

/// One thread that turns messages into rows, as a worker does, with the time of the whole and of each step.
struct LayoutRun: ~Copyable {
    private var layouter: RowLayouter

    /// - Parameter count: the number of targets; those beyond the style's stand between these.
    init(style: StyleSheet, fonts: FontList, targets count: Int? = nil) throws {
        layouter = try RowLayouter(style: style, fonts: fonts)
        if let count { layouter.prepare(style.targets.more(count - style.targets.count)) }
    }

    /// A message as it comes to a worker.
    static func state(_ body: [UInt8], sender: Int = 0) throws -> MessageState {
        MessageState(
            order: 1,
            body: MessageBody(
                sender: try SenderID("u\(sender)"), time: Timestamp(milliseconds: 1_700_000_000_000), content: body),
            revision: Revision(1), isFirst: true)
    }

    /// The figures of one run, or the medians of several runs with the same messages.
    struct Figures {
        var messages = 0
        /// Bytes of records and of measured texts.
        var (recordBytes, textBytes) = (0, 0)
        /// Processor time of the whole run.
        var seconds = 0.0

        var perSecond: Double { Double(messages) / max(seconds, 1e-9) }
        var microseconds: Double { seconds * 1e6 / Double(max(1, messages)) }
    }

    /// Turns the bodies of events into rows, with no look at the clock in between.
    mutating func run(_ messages: some Sequence<MessageState>) throws -> Figures {
        var figures = Figures()
        let start = ProcessorTime.now
        for message in messages {
            let row = try layouter.row(of: message)
            figures.messages += 1
            figures.recordBytes += row.layout.count
            figures.textBytes += row.measured.count
        }
        figures.seconds = ProcessorTime.now - start
        return figures
    }

    /// Seconds of each stage, of all messages. Together they take a little longer than `run`.
    mutating func stages(of messages: some Sequence<MessageState>) throws -> [Double] {
        var seconds = LayoutStage.allCases.map { _ in 0.0 }
        for message in messages {
            var last = Self.now
            _ = try layouter.row(of: message) { stage in
                let now = Self.now
                seconds[stage.rawValue] += now - last
                last = now
            }
        }
        return seconds
    }

    /// Wall time: the kernel would have to be asked for processor time, which takes as long as a stage.
    private static var now: Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}

extension [Target] {
    /// More targets: each a little wider than one of these, at its scales.
    fileprivate func more(_ wanted: Int) -> [Target] {
        var more: [Target] = []
        var step = 0
        while more.count < wanted {
            let near = self[step % count]
            let width = Fixed(raw: near.width.raw + Fixed.points(7 * Int32(1 + step / count)).raw)
            let target = Target(width: width, scale: near.scale, textScale: near.textScale)
            if !contains(target) { more.append(target) }
            step += 1
        }
        return more
    }
}
