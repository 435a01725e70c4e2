import FormeLayout
import MessageLayout
import Pool
import Shaping
import Storage
import Transport
import Wire

/// What a lane works with: its layouter, and the shards that it writes.
struct LayoutBench: ~Copyable, LaneBench {
    private let edition: EditionID
    private let folder: DataFolder
    private let reports: Mailbox<LayoutLane.Report>
    private var layouter: RowLayouter
    private var work = BatchWork()
    private var watch = Stopwatch()
    private var shards: [Shard: OpenShard] = [:]
    private var sealer: RowSealer
    /// For how long rows may be sealed and extended now, where batches never end.
    private var sealingTime: Duration = .zero
    private var lastSealed = -1
    /// What gateways dress rows of this edition with.
    private let decoration: [UInt8]?
    private var neighbour: NeighbourEdition
    private let carried: CarriedRows
    /// How much all shards together are to keep.
    var retention = ShardRetention()
    private var nextTidying = ContinuousClock.now
    private var nextExtending = ContinuousClock.now
    /// The shard that was tidied last, as there may not be time for all.
    private var lastTidied = -1
    private var shardCount = 1

    private static let pause: Duration = .seconds(1)
    /// Beside as much time for batches, what is sealed keeps up with what is laid out; most of it is left for what is extended.
    private static let sealingShare = 0.05
    private static let longestSealing: Duration = .milliseconds(20)
    /// After a step of extending as many times as long, though nothing comes: others may need the processor.
    private static let restAfterExtending = 4
    private static let longestRest: Duration = .milliseconds(100)
    /// Of each second, for rows that are not to be kept.
    private static let evictionTime: Duration = .milliseconds(20)

    /// A file, to be found under its shard.
    private final class OpenShard {
        var file: SQLiteShard
        init(_ file: consuming SQLiteShard) { self.file = file }
    }

    init(
        folder: DataFolder, style: StyleSheet, fonts: FontList, reports: Mailbox<LayoutLane.Report>
    ) throws {
        let layouter = try RowLayouter(style: style, fonts: fonts)
        let edition = try layouter.edition.id
        reports.post(.ready(edition, name: layouter.edition.name, style.targets))
        sealer = RowSealer(style: style.decoration)
        decoration = style.decorationText
        self.layouter = layouter
        neighbour = NeighbourEdition(of: edition, in: folder)
        carried = CarriedRows(of: edition, in: folder)
        (self.edition, self.folder, self.reports) = (edition, folder, reports)
    }

    mutating func run(_ errand: LayoutLane.Errand) {
        switch errand {
        case .work(let batch):
            let start = ContinuousClock.now
            watch.start()
            let report = perform(batch)
            watch.lap(.store)
            watch.times.count += UInt64(batch.jobs.count)
            reports.post(.done(report, watch.take()))
            tellNews(of: batch.shard)
            sealingTime = min(sealingTime + (.now - start) * Self.sealingShare, Self.longestSealing)
            sealSome()
        case .prepare(let targets): prepare(targets)
        case .close:
            close()
            reports.post(.closed)
        }
    }

    /// From now on all is laid out for these, too; what is there already, when there is time.
    private mutating func prepare(_ targets: [Target]) {
        layouter.prepare(targets)
        for open in shards.values { open.file.prepare(layouter.added) }
    }

    private mutating func perform(_ batch: Batch) -> BatchReport {
        let shard: OpenShard
        do throws(StorageError) {
            shard = try open(batch.shard)
        } catch {
            return BatchReport(batch: batch.id, shard: batch.shard, end: .blocked(Objection(Self.sentence(error))))
        }
        // Out of `self`, which the layouter is changed in meanwhile.
        var work = BatchWork()
        swap(&work, &self.work)
        defer { swap(&work, &self.work) }
        neighbour.look()
        let (other, rows) = (neighbour.other, carried)
        defer { reports.post(lost: rows.close(), of: batch.shard) }
        return work.perform(
            batch, in: &shard.file, describing: Self.sentence,
            carry: { (job) throws(Objection) in try rows.row(of: job, in: batch.shard, served: other) }
        ) { (job, message, stored) throws(Objection) in
            defer { watch.lap(.layOut) }
            let isFirst = message.isFirst
            let message = try layouter.checked(message)
            if stored != nil || (neighbour.isThere && !isFirst) {
                let key = layouter.key(of: message)
                if stored == key { return .asBefore }
                if let role = layouter.role(of: message),
                    let row = neighbour.row(job.message, in: batch.shard, under: key)
                {
                    let role = RowRole(template: role.template, joinsSeries: role.joinsSeries)
                    let layout = layouter.extended(row.layout, row.measured) ?? row.layout
                    return .anew(role, key: key, layout: layout, measured: row.measured)
                }
            }
            let row = try layouter.row(of: message)
            let role = RowRole(template: row.template, joinsSeries: row.joinsSeries)
            return .anew(role, key: row.key, layout: row.layout, measured: row.measured)
        }
    }

    private mutating func open(_ shard: Shard) throws(StorageError) -> OpenShard {
        if let open = shards[shard] { return open }
        guard let manifest = try FolderManifest.read(in: folder) else {
            throw .absent(path: folder.file(FolderManifest.name))
        }
        shardCount = manifest.shards
        let open = OpenShard(
            try SQLiteShard(shard, of: edition, in: folder, settings: Self.settings(manifest.era)))
        open.file.prepare(layouter.added)
        if shards.isEmpty, let decoration { try EditionDecoration.write(decoration, of: edition, in: folder) }
        shards[shard] = open
        return open
    }

    /// The lane that waits for the disk empties logs much earlier: only where it does not get to it, this one does.
    private static func settings(_ era: UInt64) -> ShardSettings {
        var settings = ShardSettings(era: era)
        settings.checkpoint *= 4
        return settings
    }

    /// Passes on what an operator should hear of a shard.
    private func tellNews(of shard: Shard) {
        guard let open = shards[shard], !open.file.news.isEmpty else { return }
        for news in open.file.news { reports.post(.news(shard, news)) }
        open.file.news = []
    }

    /// What there is to do beside batches, about once a second; and one step of what can wait until nothing comes.
    /// - Returns: for how long there is nothing more of the latter to do.
    mutating func tidy(idle: Bool) -> Duration {
        if nextTidying <= .now {
            nextTidying = .now + Self.pause
            lookAfterShards(idle: idle)
        }
        // The next pause, however short, is for what is to be sealed.
        guard idle else { return shards.values.contains { $0.file.isToSeal } ? .zero : rest }
        var isMore = false
        for (shard, open) in shards {
            do throws(StorageError) {
                if try open.file.seal(&sealer) { isMore = true }
            } catch {}
            tellNews(of: shard)
        }
        if isMore { return .zero }
        if nextExtending <= .now {
            let start = ContinuousClock.now
            guard extendSome() else { return Self.pause }
            nextExtending = .now + min((.now - start) * Self.restAfterExtending, Self.longestRest)
        }
        return rest
    }

    /// Until the next step of extending.
    private var rest: Duration {
        guard shards.values.contains(where: { $0.file.isToExtend }) else { return Self.pause }
        return max(.zero, nextExtending - .now)
    }

    /// One step in the next shard of which there is more to do, and in no other: what comes meanwhile waits for it.
    private mutating func extendSome() -> Bool {
        // Each at most once: some may be another worker's by now.
        for _ in shards {
            guard let shard = next({ $0.isToExtend }) else { return false }
            lastSealed = Int(shard.number)
            var isMore = false
            do throws(StorageError) { isMore = try extend(shards[shard]!) } catch {}
            tellNews(of: shard)
            if isMore { return true }
        }
        return false
    }

    /// One step of what can wait, where there is time for it and something to do: one shard after the other. What is to be sealed goes
    /// first.
    private mutating func sealSome() {
        guard sealingTime > .zero else { return }
        guard let shard = next({ $0.isToSeal }) ?? next({ $0.isToExtend }) else { return }
        lastSealed = Int(shard.number)
        let (open, start) = (shards[shard]!, ContinuousClock.now)
        // What cannot be done now is tried again when it is due, and told when a batch meets the same trouble.
        do throws(StorageError) { if try !open.file.seal(&sealer) { _ = try extend(open) } } catch {}
        sealingTime -= .now - start
    }

    /// The next shard in turn of which something is true.
    private func next(_ isDue: (borrowing SQLiteShard) -> Bool) -> Shard? {
        let due = shards.filter { isDue($0.value.file) }.keys.map { Int($0.number) }.sorted()
        return (due.first { $0 > lastSealed } ?? due.first).map { Shard(UInt16($0)) }
    }

    /// One step of laying out what is there for targets that were added.
    /// - Returns: whether there is more to do.
    private mutating func extend(_ open: OpenShard) throws(StorageError) -> Bool {
        // Out of `self`, which the layouter is changed in meanwhile.
        var own = RowSealer(style: nil)
        swap(&own, &sealer)
        defer { swap(&own, &sealer) }
        return try open.file.extend(&own) { layout, measured in layouter.extended(layout, measured) }
    }

    /// What cannot be tidied up now is tried again in a second, and told when a batch meets the same trouble.
    private mutating func lookAfterShards(idle: Bool) {
        do throws(StorageError) {
            for shard in try ShardPlace.suspected(of: edition, in: folder) where shards[shard] == nil {
                // It may have been begun anew, and nothing may ever come for it that would tell.
                let file = try open(shard)
                reports.post(.renewed(shard, try file.file.sync()))
            }
        } catch {}
        for (shard, open) in shards {
            do throws(StorageError) {
                // The coordinator is told of the file that took the place of a lost one.
                if try open.file.isRenewed() { reports.post(.renewed(shard, try open.file.sync())) }
                try open.file.maintain(idle: idle)
            } catch {}
            tellNews(of: shard)
        }
        do throws(StorageError) { try evict() } catch {}
    }

    /// Gives up rows that are not to be kept, one shard after the other, for a short time.
    private mutating func evict() throws(StorageError) {
        guard retention != ShardRetention() else { return }
        let (share, now) = (retention.divided(among: shardCount), WallClock.now)
        let end = ContinuousClock.now + Self.evictionTime
        let numbers = shards.keys.map { Int($0.number) }.sorted()
        for number in numbers.filter({ $0 > lastTidied }) + numbers.filter({ $0 <= lastTidied }) {
            while .now < end, try shards[Shard(UInt16(number))]!.file.keep(within: share, at: now) > 0 {}
            lastTidied = number
            guard .now < end else { return }
        }
    }

    /// A shard that cannot be closed in order counts as left in the middle, which costs its readers a fresh start.
    private mutating func close() {
        for open in shards.values {
            do throws(StorageError) { try open.file.close() } catch {}
        }
        shards = [:]
    }
}

extension LayoutBench {
    /// What an operator reads of trouble with a shard.
    static func sentence(_ error: StorageError) -> String {
        switch error {
        case .blocked(let path, let process?): "\(path) is held by process \(process), which does not go on"
        case .blocked(let path, nil): "\(path) is held by a process that does not go on"
        case .full(let path): "there is no room left on the disk of \(path)"
        default: "\(error)"
        }
    }
}
