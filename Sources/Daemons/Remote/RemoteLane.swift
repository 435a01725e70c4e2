import Bytes
import FormeLayout
import Foundation
import MessageLayout
import Operations
import Pool
import Shaping
import Transport
import Wire

/// The thread of a worker without the folder that lays out: batches in, rows out.
struct RemoteLane {
    enum Errand: Sendable {
        case layOut(Batch)
        /// Layouts are made for these targets from now on, beside those of the style.
        case prepare([Target])
        /// Nothing more comes: the thread ends.
        case close
    }

    enum Report: Sendable {
        /// Fonts are open, and the probe rows are laid out.
        case ready(EditionID, name: String, [Target], EngineFacts)
        case made(BatchID, [UInt8], StageTimes, LayoutFigures)
        /// The edition cannot be laid out on this host.
        case failed(any Error)
    }

    let errands: Mailbox<Errand>

    /// Starts the thread.
    init(_ edition: [UInt8], fonts: FontCache, reports: Mailbox<Report>) throws {
        let errands = try Mailbox<Errand>()
        self.errands = errands
        Thread.detachNewThread {
            do {
                let (style, families) = try CompiledEdition(json: edition).open { identity in
                    FontHash(identity.description).map(fonts.path)
                }
                var rows = try RemoteRows(RowLayouter(style: style, fonts: FontList(families)))
                reports.post(
                    .ready(
                        try rows.layouter.edition.id, name: style.name, style.targets, rows.layouter.engineFacts()))
                while true {
                    for errand in errands.takeAll() {
                        switch errand {
                        case .layOut(let batch):
                            let bytes = rows.make(batch)
                            reports.post(.made(batch.id, bytes, rows.takeTimes(), rows.takeFigures()))
                        case .prepare(let targets): rows.layouter.prepare(targets)
                        case .close: return
                        }
                    }
                    _ = try wait(for: [errands.source], atMost: .seconds(60))
                }
            } catch {
                reports.post(.failed(error))
            }
        }
    }
}

/// Makes the rows of batches, in the form in which they travel.
struct RemoteRows: ~Copyable {
    var layouter: RowLayouter
    private var watch = Stopwatch()
    private var figures = LayoutFigures()
    private var wrong = WrongRows()

    init(_ layouter: consuming RowLayouter) {
        self.layouter = layouter
        watch.lap(.start)
    }

    mutating func takeTimes() -> StageTimes { watch.take() }

    mutating func takeFigures() -> LayoutFigures {
        defer { figures = LayoutFigures() }
        return figures
    }

    /// As many rows as may travel together. A message that the style refuses has none: the worker that stores the
    /// batch refuses it in its own words.
    mutating func make(_ batch: Batch) -> [UInt8] {
        watch.lap(.wake)
        var (bytes, kinds) = ([UInt8](), KindTimes())
        for (place, job) in batch.jobs.enumerated() {
            guard case .layOut(let state) = job.work else { continue }
            let (start, begin) = (Traces.start, KindTimes.now)
            do throws(Objection) {
                let message = try layouter.checked(state)
                var row = MadeRow(try layouter.row(of: message), at: UInt16(place))
                kinds.note(message.template.kind, from: begin)
                wrong.mar(&row)
                let more = row.encoded()
                guard bytes.count + more.count <= Limits.madeRows else { break }
                bytes += more
                BatchTraces.noteElsewhere(job, from: start)
                watch.times.count += 1
            } catch {
                continue
            }
        }
        watch.lap(.layOut)
        kinds.add(of: watch.times[.layOut], to: &figures)
        return bytes
    }
}
