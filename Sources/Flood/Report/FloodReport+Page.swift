import Foundation

extension FloodReport {
    /// The report as one page with its pictures.
    package var html: String {
        var page = WebPage(title: "Forme flood \(plan.run)")
        page.sections = [
            heading, tiles, "<h2>Over time</h2>\n<div class=\"charts\">\(charts.joined())</div>\n", tables,
        ]
        return page.html
    }

    private var heading: String {
        let words = isClean ? "everything accepted was found, and nothing else" : verdictWords
        return """
            <h1>Flood of \(WebPage.escaped(plan.run))</h1>
            <p>\(WebPage.escaped(summary))</p>
            <div class="verdict \(isClean ? "good" : "bad")">\(WebPage.escaped(words))</div>
            \(filesNotRead.map { "<p>\(WebPage.escaped($0))</p>" } ?? "")

            """
    }

    private var verdictWords: String {
        let faults = [verdict, stored].compactMap(\.self).flatMap { verdict in
            Audit.Fault.allCases.compactMap { fault in verdict.faults[fault].map { "\(fault.rawValue) \($0)" } }
        }
        let others = [("invalid", counts.invalid), ("unanswered", counts.unanswered), ("unsent", measures.unsent)]
            .filter { $0.1 > 0 }.map { "\($0.0) \($0.1)" }
        let unread = files.isClean || files.reason == nil ? [] : ["the files could not be read"]
        return (faults + others + unread).joined(separator: ", ")
    }

    package var summary: String {
        let words = [
            "\(plan.shape.rawValue) arrivals, \(Int(stretch.rate.rounded())) events a second for \(Self.number(seconds)) s",
            "\(plan.conversations) conversations", "\(plan.producers) producers", "\(plan.readers) readers",
            "seed \(plan.seed)",
        ]
        return words.joined(separator: " · ")
    }

    private var tiles: String {
        let values = [
            ("\(Int(acceptedRate.rounded()))", "events accepted a second"),
            (Self.milliseconds(measures.acknowledged.percentile(99)), "ms to the answer, 99th percentile"),
            (Self.milliseconds(measures.ready.percentile(99)), "ms to a readable layout, 99th percentile"),
            (Self.milliseconds(measures.fetched.percentile(99)), "ms for a page of 50, 99th percentile"),
            ("\(measures.totals.busy)", "answered busy"),
            ("\(verdict.rows)", "rows read back, as they must be"),
        ]
        let tiles = values.map { "<div class=\"tile\"><b>\($0.0)</b><span>\($0.1)</span></div>\n" }
        return "<div class=\"tiles\">\n\(tiles.joined())</div>\n"
    }

    private var charts: [String] {
        let first = Double(measures.seconds.first?.number ?? 0)
        func line(_ name: String, filled: Bool = false, _ value: (Measures.Second) -> Double) -> Chart.Series {
            let points = wholeSeconds.map { (Double($0.number) - first, value($0)) }
            return Chart.Series(name: name, points: points, isFilled: filled)
        }
        /// The series without seconds in which nothing was measured.
        func times(_ name: String, _ value: (Measures.Second) -> UInt64) -> Chart.Series {
            let points = wholeSeconds.filter { value($0) > 0 }
                .map { (Double($0.number) - first, Double(value($0)) / 1e6) }
            return Chart.Series(name: name, points: points)
        }
        let throughput = Chart(
            title: "Throughput", unit: "events a second",
            series: [
                line("accepted", filled: true) { Double($0.accepted) }, line("readable") { Double($0.ready) },
                line("busy") { Double($0.busy) }, line("sent") { Double($0.sent) },
            ], marksBelow: timeMarks)
        let latency = Chart(
            title: "Latency in each second", unit: "ms, from when events were due",
            series: [
                times("answer, p99") { $0.acknowledged99 }, times("readable, p99") { $0.ready99 },
                times("readable, median") { $0.ready50 }, times("page, p99") { $0.fetched99 },
            ], vertical: .logarithmic, marksBelow: timeMarks)
        return [throughput.html, latency.html, percentileChart.html] + processCharts.map(\.html)
    }

    /// The seconds through which events arrived; the last one is seldom whole, and would look like a breakdown.
    private var wholeSeconds: [Measures.Second] {
        let whole = measures.seconds.filter { Double($0.number + 1) <= moments.arrivalsEnd.seconds }
        return whole.isEmpty ? measures.seconds : whole
    }

    private var timeMarks: [Chart.Mark] {
        let whole = max(1, wholeSeconds.count - 1)
        let step = max(1, (whole + 5) / 6)
        return stride(from: 0, through: whole, by: step).map { (Double($0), "\($0) s") }
    }

    /// A chart with one more nine at each step to the right: 90 %, 99 %, 99.9 %.
    private var percentileChart: Chart {
        let marks: [Chart.Mark] = [
            (0, "0 %"), (0.301, "50 %"), (1, "90 %"), (2, "99 %"), (3, "99.9 %"), (4, "99.99 %"),
        ]
        let names = ["ack": "answer", "ready": "readable", "fetch": "page of 50"]
        return Chart(
            title: "Latency percentiles", unit: "ms, from when events were due",
            series: latencies.filter { $0.histogram.count > 0 }.map { name, histogram in
                // As many nines as that many measurements can tell.
                let most = min(4, log10(Double(histogram.count)))
                let points = stride(from: 0.0, through: most, by: 0.05).map { nines in
                    (nines, Double(histogram.percentile(100 * (1 - pow(10, -nines)))) / 1e6)
                }
                return Chart.Series(name: names[name]!, points: points)
            }, vertical: .logarithmic, marksBelow: marks)
    }

    private var processCharts: [Chart] {
        guard let start = samples.first?.time else { return [] }
        func lines(_ value: (ProcessSample.Usage) -> Double) -> [Chart.Series] {
            processes.prefix(6).map { share in
                let points = samples.dropFirst().compactMap { sample in
                    sample.usages.first { $0.process == share.process }.map {
                        (Double(sample.time.nanoseconds(since: start)) / 1e9, value($0))
                    }
                }
                return Chart.Series(name: "\(share.process.role) \(share.process.id)", points: points)
            }
        }
        return [
            Chart(
                title: "Processors", unit: "1 is a whole one", series: lines { $0.processors }, marksBelow: timeMarks),
            Chart(
                title: "Memory", unit: "MB resident", series: lines { Double($0.memory) / 1e6 }, marksBelow: timeMarks),
        ]
    }

    private var tables: String {
        let examples = examples.map(WebPage.escaped).joined(separator: "\n")
        return """
            <div class="tables">
            <section><h2>Latencies in ms</h2>\(WebPage.table(latencyRows))</section>
            <section><h2>Answers</h2>\(WebPage.table(answerRows))</section>
            <section><h2>Processes</h2>\(WebPage.table(processRows))</section>
            <section><h2>Stages</h2>\(WebPage.table(stageRows))</section>
            <section><h2>Ledger</h2>\(WebPage.table(ledgerRows))</section>
            </div>
            \(examples.isEmpty ? "" : "<pre>\(examples)</pre>\n")<h2>How it was measured</h2>
            \(method.map { "<p>\(WebPage.escaped($0))</p>\n" }.joined())
            """
    }
}
