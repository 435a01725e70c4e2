import MessageLayout
import TestSupport
import Typography
import Wire

/// Random values of everything that can be said.
struct Samples {
    var random: SplitMix64

    mutating func name<Subject>(_: Subject.Type = Subject.self) throws -> Name<Subject> {
        try Name("n" + String.random(length: 12, using: &random))
    }

    mutating func event() throws -> Event {
        try Event(
            conversation: name(), message: name(), order: .random(in: .min ... .max, using: &random), sender: name(),
            time: Timestamp(milliseconds: .random(in: .min ... .max, using: &random)),
            body: Array(String.random(length: 40, using: &random).utf8),
            revision: .random(in: 0 ... .max, using: &random))
    }

    mutating func target() -> Target {
        Target(
            width: .points(.random(in: 0...2000, using: &random)),
            scale: Scale(thousandths: .random(in: 1000...4000, using: &random)))
    }

    mutating func lease() -> LeaseID {
        LeaseID(term: random.next(), number: random.next())
    }

    mutating func outcome() -> JobResult.Outcome {
        [.stored, .returned, .refused(Objection(.random(length: 40, using: &random)))].randomElement(using: &random)!
    }

    mutating func several<Value>(_ make: (inout Samples) throws -> Value) rethrows -> [Value] {
        var values: [Value] = []
        for _ in 0..<Int.random(in: 0...3, using: &random) { values.append(try make(&self)) }
        return values
    }

    mutating func frame() throws -> Frame {
        let contents: [Frame.Content] = [
            .post(try several { try $0.event() }),
            .posted(Receipt(accepted: .random(in: 0 ... .max, using: &random), repeated: 2)),
            .refused(Refusal.allCases.randomElement(using: &random)!),
            .beat(Beat(capacity: .random(in: 0...9, using: &random), held: several { $0.lease() })),
            .pulse,
            .assign(
                Lease(
                    id: lease(),
                    jobs: try several { Job(id: JobID(Int64($0.random.next() >> 1)), event: try $0.event()) })),
            .finished(
                lease(),
                several {
                    JobResult(job: JobID(Int64($0.random.next() >> 1)), outcome: $0.outcome())
                }),
            .fetch(
                Query(
                    conversation: try name(), target: target(), variant: .random(in: 0...8, using: &random),
                    after: Bool.random(using: &random) ? Position(order: -4, message: try name()) : nil,
                    limit: .random(in: 1...256, using: &random))),
            .page(
                Page(
                    rows: try several {
                        StoredRow(
                            position: Position(order: 9, message: try $0.name()), revision: 3,
                            bytes: $0.several { $0.random.next(upperBound: 255) })
                    }, next: Bool.random(using: &random) ? Position(order: -4, message: try name()) : nil)),
            .ready(
                try several { Readiness(conversation: try $0.name(), message: try $0.name(), revision: 1) }),
        ]
        return Frame(contents.randomElement(using: &random)!, request: RequestID(random.next()))
    }
}
