import Bytes
import MessageLayout
import Names
import TestSupport
import Typography
import Wire

/// Random words of the pool, whole ones.
extension SplitMix64 {
    mutating func name<Subject>() throws -> Name<Subject> {
        try Name("n" + String(UInt16.random(in: 0...999, using: &self)))
    }

    mutating func bytes(_ count: ClosedRange<Int>) -> [UInt8] {
        (0..<Int.random(in: count, using: &self)).map { _ in number() }
    }

    mutating func perhaps<Value>(_ value: (inout SplitMix64) throws -> Value) rethrows -> Value? {
        Bool.random(using: &self) ? try value(&self) : nil
    }

    mutating func body() throws -> MessageBody {
        MessageBody(sender: try name(), time: moment(), content: bytes(0...40))
    }

    /// A time that a calendar can tell.
    mutating func moment() -> Timestamp { Timestamp(milliseconds: .random(in: Limits.milliseconds, using: &self)) }

    mutating func messageEvent() throws -> MessageEvent {
        MessageEvent(
            conversation: try name(), message: try name(), clientID: try perhaps { try $0.name() },
            revision: Revision(number()), body: try perhaps { try $0.body() }, order: perhaps { $0.number() },
            status: perhaps { $0.bytes(1...8) }, reactions: perhaps { $0.bytes(1...30) },
            react: try perhaps { random throws in
                ReaderChoices(
                    reader: try random.perhaps { try $0.name() }, emoji: [try ChoiceID("e\(random.next() % 1000)")],
                    options: Bool.random(using: &random) ? [] : nil)
            }, isDeleted: .random(using: &self))
    }

    mutating func job() throws -> LayoutJob {
        var state = MessageState(
            order: number(), body: try body(), status: perhaps { $0.bytes(1...8) },
            reactions: perhaps { $0.bytes(1...8) }, revision: Revision(number()), isFirst: .random(using: &self))
        state.isDoubted = .random(using: &self)
        return LayoutJob(
            number: JobNumber(number()), message: MessageNumber(number()), conversation: try name(),
            messageID: try name(),
            work: [.layOut(state), .remove, .amend(order: number(), status: perhaps { $0.bytes(1...8) })]
                .randomElement(using: &self)!)
    }

    mutating func result() -> LayoutResult {
        let outcomes: [LayoutResult.Outcome] = [.stored, .returned, .refused(Objection("no \(next() % 10)"))]
        return LayoutResult(job: JobNumber(number()), outcome: outcomes.randomElement(using: &self)!)
    }

    mutating func batchID() -> BatchID { BatchID(term: number(), number: number()) }

    mutating func batch() throws -> Batch {
        var jobs: [LayoutJob] = []
        for _ in 0..<Int.random(in: 0...4, using: &self) { jobs.append(try job()) }
        return Batch(
            id: batchID(), shard: Shard(number()), epoch: LeaseEpoch(number()), place: number(),
            origin: perhaps { ShardOrigin($0.number()) }, jobs: jobs, made: perhaps { $0.madeRows() })
    }

    mutating func engineFacts() -> EngineFacts {
        EngineFacts((0..<Int.random(in: 0...3, using: &self)).map { .init("fact \($0)", "\(next() % 100)") })
    }

    mutating func hello() throws -> WorkerHello {
        var hello = WorkerHello(
            edition: try EditionID("0badcafe"), editionName: "plain", process: number(), machine: "m\(next())",
            targets: (0..<Int.random(in: 0...2, using: &self)).map { _ in target() },
            folder: perhaps { FolderProof($0.number()) })
        // Only a worker that proves its folder, or has none, says more.
        if hello.folder != nil {
            hello.engine = perhaps { $0.engineFacts() }
        } else if Bool.random(using: &self) {
            (hello.engine, hello.isRemote) = (engineFacts(), true)
        }
        return hello
    }

    mutating func fontHash() -> FontHash { FontHash(Hexadecimal.text(bytes(32...32)))! }

    mutating func editionPart() throws -> EditionPart {
        EditionPart(
            edition: try EditionID("0badcafe"), file: Bool.random(using: &self) ? .edition : .font(fontHash()),
            offset: number())
    }

    mutating func editionOffer() throws -> EditionOffer {
        EditionOffer(
            edition: try EditionID("0badcafe"), bytes: number(),
            fonts: (0..<Int.random(in: 0...3, using: &self)).map { _ in .init(hash: fontHash(), bytes: number()) })
    }

    mutating func madeRow() -> MadeRow {
        MadeRow(
            place: number(), template: "row\(next() % 10)", joinsSeries: .random(using: &self), key: bytes(0...16),
            layout: bytes(0...40), measured: bytes(0...40))
    }

    mutating func madeRows() -> MadeRows {
        MadeRows(
            bytes: (0..<Int.random(in: 0...3, using: &self)).flatMap { _ in madeRow().encoded() },
            checks: (0..<Int.random(in: 0...3, using: &self)).map { _ in number() })
    }

    mutating func workerWord() throws -> WorkerWord {
        switch Int.random(in: 0..<12, using: &self) {
        case 10:
            var figures = LayoutFigures()
            for _ in 0..<Int.random(in: 0...3, using: &self) {
                figures.add(.init("kind\(next() % 10)", messages: number(), nanoseconds: number()))
            }
            for layer in LayoutFigures.Layer.allCases { figures[layer] = .init(hits: number(), misses: number()) }
            return .figures(figures)
        case 0: return .hello(try hello())
        case 1:
            let held = (0..<Int.random(in: 0...3, using: &self)).map { _ in batchID() }
            var beat = WorkerBeat(credits: number(), held: held, hasStarted: .random(using: &self))
            for stage in StageTimes.Stage.allCases { beat.times[stage] = number() }
            beat.times.count = number()
            return .beat(beat)
        case 2:
            let results = (0..<Int.random(in: 0...3, using: &self)).map { _ in result() }
            var report = BatchReport(
                batch: batchID(), shard: Shard(number()),
                end: .committed(Stamp(number()), ShardOrigin(number()), results))
            report.unavailable = Int(UInt16.random(in: 0...3, using: &self))
            report.difference = perhaps { Objection("other \($0.next() % 10)") }
            return .finished(report)
        case 3: return .finished(BatchReport(batch: batchID(), shard: Shard(number()), end: .fenced))
        case 4:
            return .finished(
                BatchReport(batch: batchID(), shard: Shard(number()), end: .blocked(Objection("by process 7"))))
        case 5:
            return .finished(
                BatchReport(batch: batchID(), shard: Shard(number()), end: .otherFile(ShardOrigin(number()))))
        case 6: return .synced(Shard(number()), ShardPoint(origin: ShardOrigin(number()), stamp: Stamp(number())))
        case 7: return .seek(WorkerSeek(process: number(), machine: "m\(next())", engine: engineFacts()))
        case 8: return .fetch(try editionPart())
        case 9: return .made(batchID(), madeRow().encoded())
        default: return .bye
        }
    }

    mutating func coordinatorWord() throws -> CoordinatorWord {
        switch Int.random(in: 0..<7, using: &self) {
        case 0: .pulse((0..<Int.random(in: 0...3, using: &self)).map { _ in target() })
        case 1: .introduceYourself
        case 2: .leave
        case 3: .turnedAway(Objection("not \(next() % 10)"))
        case 4: .offer(try editionOffer())
        case 5: .piece(try editionPart(), bytes(0...40))
        default: .assign(try batch())
        }
    }

    mutating func position() throws -> Position { Position(order: number(), message: try name()) }

    mutating func readyWord() throws -> ReadyWord {
        var rows: [ReadyWord.Row] = []
        for _ in 0..<Int.random(in: 0...3, using: &self) {
            rows.append(
                ReadyWord.Row(
                    conversation: try name(), message: try name(), revision: perhaps { Revision($0.number()) },
                    shard: Shard(number()), stamp: Stamp(number())))
        }
        return ReadyWord(edition: try EditionID("0badcafe"), rows: rows)
    }
}
