import Testing
import Wire

@testable import Pool

@Suite struct EventTallyTests {
    @Test func `answers are counted by what they say, refusals by the outermost field, busy ones by their reason`() {
        var tally = EventTally()
        let answers: [EventAnswer] = [
            .accepted, .accepted, .duplicate, .superseded, .invalid(field: "body.items[3].text", reason: "r"),
            .invalid(field: "body", reason: "r"), .invalid(field: "", reason: "r"), .busy(retryAfter: 1, reason: .disk),
            .busy(retryAfter: 1),
        ]
        for answer in answers { tally.count(answer) }
        #expect(tally.accepted == 2 && tally.duplicate == 1 && tally.superseded == 1)
        #expect(tally.refused == ["body": 2, "other": 1])
        #expect(tally.busy == ["draining": 0, "full": 0, "disk": 1, "cluster": 0, "other": 1])
    }

    @Test func `names of fields come from who posts, so few are told apart`() {
        var tally = EventTally()
        for number in 0..<1000 {
            let name =
                String(repeating: "a", count: 1 + number / 26 % 26) + String(UnicodeScalar(UInt8(97 + number % 26)))
            tally.count(.invalid(field: name, reason: "r"))
        }
        tally.count(.invalid(field: String(repeating: "b", count: 1000), reason: "r"))
        tally.count(.invalid(field: "\"}\nx", reason: "r"))
        #expect(tally.refused.count <= 33)
        #expect(tally.refused.values.reduce(0, +) == 1002)
    }

    @Test func `figures are read as they are said`() throws {
        var figures = PoolFigures()
        for answer in [.accepted, .invalid(field: "kind", reason: ""), .busy(retryAfter: 1, reason: .full)]
            as [EventAnswer]
        {
            figures.answers.count(answer)
        }
        figures.acknowledged.record(.milliseconds(3), times: 2)
        figures.ready.record(.seconds(100))
        figures.diskLeft = 12
        (figures.work.batches, figures.work.leases, figures.work.syncs, figures.work.restarts) = (5, 4, 3, 2)
        figures.work.journal.commits.record(.milliseconds(2))
        figures.work.journal.checkpoints.record(.milliseconds(70))
        figures.work.editions = [
            .init(edition: "e1", work: WorkShare(done: 0.625, left: .seconds(178))),
            .init(edition: "e2", work: WorkShare(done: 1)),
        ]
        figures.work.screens = WorkShare(done: 0.25)
        figures.processes = [
            .init(kind: "worker", id: 7, memory: 1, handles: nil, processor: [.init(name: "lay out", microseconds: 5)])
        ]
        let health = PoolHealth(busy: nil, servedWorkers: 1, figures: figures)
        #expect(PoolHealth(answer: OperatorAnswer.health(health).json) == health)
        // A coordinator of a release before this one sends no figures.
        let old = #"{"health": {"posts": "open", "served_workers": 1, "restarts": 0}}"#
        #expect(PoolHealth(answer: Array(old.utf8))?.figures == PoolFigures())
    }

    @Test func `Prometheus is told how many events were accepted with a warning`() {
        let forgotten = Array(repeating: 0, count: 64)
        let health = PoolBench().dispatcher.health(trouble: nil, restarts: 0, warned: 3, forgotten: forgotten)
        var text = MetricsText(of: "pool")
        health.write(to: &text)
        #expect(text.text.split(separator: "\n").contains("forme_pool_warned_total 3"))
    }

    @Test func `Prometheus is told what workers and the journal do, and how far long work is`() {
        var health = PoolHealth(busy: nil, servedWorkers: 1)
        health.figures.work.batches = 5
        health.figures.work.restarts = 2
        health.figures.work.journal.commits.record(.milliseconds(2), times: 3)
        health.figures.work.editions = [
            .init(edition: "e1", work: WorkShare(done: 0.625, left: .seconds(178))),
            .init(edition: "e2", work: WorkShare(done: 1)),
        ]
        health.figures.work.screens = WorkShare(done: 0.25)
        var text = MetricsText(of: "pool")
        health.write(to: &text)
        let lines = text.text.split(separator: "\n")
        for line in [
            "forme_pool_batches_total 5", "forme_pool_leases 0", "forme_pool_syncs_total 0",
            "forme_pool_workers_restarted_total 2", "forme_pool_journal_commit_seconds_count 3",
            "forme_pool_journal_commit_seconds_sum 0.006", "forme_pool_journal_checkpoint_seconds_count 0",
            #"forme_pool_edition_done_ratio{edition="e1"} 0.625"#, #"forme_pool_edition_done_ratio{edition="e2"} 1.0"#,
            #"forme_pool_edition_left_seconds{edition="e1"} 178"#, "forme_pool_screens_done_ratio 0.25",
        ] {
            #expect(lines.contains { $0 == line }, "\(line)")
        }
        #expect(!lines.contains { $0.hasPrefix("forme_pool_screens_left_seconds") })
        #expect(!lines.contains { $0.hasPrefix(#"forme_pool_edition_left_seconds{edition="e2"}"#) })
    }

    @Test func `Prometheus is told times as counts below each boundary`() {
        var health = PoolHealth(busy: .queueFull, servedWorkers: 1)
        health.figures.ready.record(.milliseconds(3), times: 2)
        health.figures.ready.record(.seconds(100))
        var text = MetricsText(of: "pool")
        health.write(to: &text)
        let lines = text.text.split(separator: "\n")
        #expect(lines.contains("forme_pool_ready_seconds_bucket{le=\"0.00256\"} 0"))
        #expect(lines.contains("forme_pool_ready_seconds_bucket{le=\"0.003072\"} 2"))
        #expect(lines.contains("forme_pool_ready_seconds_bucket{le=\"+Inf\"} 3"))
        #expect(lines.contains("forme_pool_ready_seconds_count 3"))
        #expect(lines.contains("forme_pool_posts_busy{reason=\"queue full\"} 1"))
    }
}
