package import Wire

/// The work on a batch: jobs in, one commit in the shard, a report out. It is the lane's whole logic, without its
/// threads and its files.
package struct BatchWork: Equatable, Sendable {
    /// The outcome of a message's layout.
    package enum LaidOut: Equatable, Sendable {
        /// The key is the one that the row has: its layout stays.
        case asBefore
        case anew(RowRole, key: [UInt8], layout: [UInt8], measured: [UInt8], heights: [UInt8] = [])
        /// Nobody here can lay it out: the row that is there would show an old state of the message, and goes.
        case beyondUs
    }

    /// The epoch under which each shard was taken over.
    private var adopted: [Shard: LeaseEpoch] = [:]

    package init() {}

    /// - Parameters:
    ///   - describe: says what is wrong with the shard, in words for the operator.
    ///   - carry: finds the row of a message whose content is no longer kept, where it was laid out before; nil where
    ///     it is nowhere.
    ///   - layOut: lays the message of a job out, unless it would come to the key that its row has.
    package mutating func perform<Store: ShardStore & ~Copyable>(
        _ batch: Batch, in store: inout Store, describing describe: (Store.Failure) -> String,
        carry: (LayoutJob) throws(Objection) -> ShardRow? = { _ in nil },
        layOut: (LayoutJob, MessageState, _ storedKey: [UInt8]?) throws(Objection) -> LaidOut
    ) -> BatchReport {
        do throws(Store.Failure) {
            let end = try end(of: batch, in: &store, carry: carry, layOut: layOut)
            var report = BatchReport(batch: batch.id, shard: batch.shard, end: end)
            if report.isCommitted { report.unavailable = try store.unavailable() }
            return report
        } catch {
            adopted[batch.shard] = nil
            return BatchReport(batch: batch.id, shard: batch.shard, end: .blocked(Objection(describe(error))))
        }
    }

    private mutating func end<Store: ShardStore & ~Copyable>(
        of batch: Batch, in store: inout Store, carry: (LayoutJob) throws(Objection) -> ShardRow?,
        layOut: (LayoutJob, MessageState, _ storedKey: [UInt8]?) throws(Objection) -> LaidOut
    ) throws(Store.Failure) -> BatchReport.End {
        var stamp = Stamp.zero
        if adopted[batch.shard] != batch.epoch || batch.jobs.isEmpty {
            guard let last = try store.adopt(batch.epoch) else { return .fenced }
            stamp = last
            adopted[batch.shard] = batch.epoch
        }
        if let origin = batch.origin, origin != store.origin { return .otherFile(store.origin) }
        var changes: [ShardChange] = []
        var results: [LayoutResult] = []
        changes.reserveCapacity(batch.jobs.count)
        results.reserveCapacity(batch.jobs.count)
        for job in batch.jobs {
            var outcome = LayoutResult.Outcome.stored
            switch try change(for: job, in: &store, carry: carry, layOut: layOut) {
            case .success(let row): changes.append(ShardChange(job, row))
            case .failure(let objection): outcome = .refused(objection)
            }
            results.append(LayoutResult(job: job.number, outcome: outcome))
        }
        if !changes.isEmpty {
            guard let committed = try store.commit(changes, under: batch.epoch) else { return .fenced }
            stamp = committed
        }
        return .committed(stamp, store.origin, results)
    }

    private func change<Store: ShardStore & ~Copyable>(
        for job: LayoutJob, in store: inout Store, carry: (LayoutJob) throws(Objection) -> ShardRow?,
        layOut: (LayoutJob, MessageState, _ storedKey: [UInt8]?) throws(Objection) -> LaidOut
    ) throws(Store.Failure) -> Result<ShardChange.Row, Objection> {
        switch job.work {
        case .remove: return .success(.removed)
        case .amend(let order, let status):
            // It cannot be laid out again: a row that it has elsewhere is taken as it is, whatever its key.
            guard try store.storedKey(of: job.message) == nil else {
                return .success(.amended(order: order, status: status))
            }
            do throws(Objection) {
                guard var row = try carry(job) else { return .success(.amended(order: order, status: status)) }
                (row.facts.order, row.facts.status) = (order, status)
                return .success(.laidOut(row))
            } catch {
                return .failure(error)
            }
        case .layOut(let state):
            // A row that may be wrong is made again, whatever its key.
            let isLookedAt = !state.isFirst && !state.isDoubted
            let stored = isLookedAt ? try store.storedKey(of: job.message) : nil
            do throws(Objection) {
                switch try layOut(job, state, stored) {
                case .asBefore: return .success(.touched(state.facts))
                case .anew(let role, let key, let layout, let measured, let heights):
                    let row = ShardRow(
                        facts: state.facts, role: role, key: key, layout: layout, measured: measured, heights: heights)
                    return .success(state.isDoubted ? .mended(row) : .laidOut(row))
                case .beyondUs: return .success(.withdrawn)
                }
            } catch {
                return .failure(error)
            }
        }
    }
}

extension ShardChange {
    fileprivate init(_ job: LayoutJob, _ row: Row) {
        self.init(
            job: job.number, message: job.message, conversation: job.conversation, messageID: job.messageID, row: row)
    }
}

extension MessageState {
    package var facts: StoredFacts {
        StoredFacts(order: order, sender: body.sender, time: body.time, revision: revision, status: status)
    }
}
