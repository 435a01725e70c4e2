import Console
import Flood
import FormeClientZMQ
import Foundation
import MessageLayout
import Storage
import Transport
import Wire

struct FloodCommand: Command {
    let name = "flood"
    let summary = "loads a service as many people would, measures it, and checks that it kept every word"
    let usage = """
        usage: forme flood [OPTIONS]

          --rate R             events a second (default: 1000)
          --duration S         for so many seconds (default: 10), after the warm-up
          --count N            or so many events
          --warm-up S          seconds whose latencies are not counted (default: 0; 3 with --find-capacity)
          --arrivals SHAPE     constant, poisson (default) or burst: all events of a second in its first fifth
          --conversations C    how many, busy by Zipf's law (default: 1000)
          --producers P        sockets that post (default: 4), each with up to --in-flight N requests (default: 64)
          --batch B            events to a request at most (default: 64); an event that is due goes at once
          --readers Q          sockets that open windows of 50 rows (default: 2), together --reads N a second (default: 50)
          --edits % --deletes % --statuses % --reactions % --moves % --duplicates %
                               of all events (default: 3, 1, 5, 2, 0.5, 0.5); the rest are new messages
          --kinds MIX          default, or texts and nothing else
          --busy RULE          drop (default) events that the service has no room for, or retry them
          --settle S           how long the service may take after the last event (default: 30)
          --seed N             decides every byte that is said (default: 1)
          --run NAME           the name of its conversations (default: after the time)
          --target WIDTH@SCALE at which it reads, one of the style's targets (default: \(FetchTarget.standard))
          --find-capacity      looks for the highest rate, from --rate on, whose 99th percentile from event to readable
                               layout stays under --p99 MS (default: 20)
          --pids A,B,…         processes of the service, where they are not found by --data
          --json               the report as JSON, instead of tables
          --report FILE        the report as a page with pictures
        \(QuietOption.usage)
          --i-own-this-host HOST
                               floods another machine than this one
        \(Place.usage)

        Afterwards every conversation is read back through windows, and from the files of the cache where they are here, and compared with
        what was accepted. Exit status 1 says that something
        was missing, or was there and should not be, or that files of this machine could not be read. One interrupt ends the flood
        early and still compares.
        """

    func run(_ words: [String]) throws {
        let arguments = try Arguments(
            words, of: "flood", options: Place.options + FloodOptions.names,
            switches: ["json", "find-capacity", QuietOption.name])
        let place = try Place(arguments)
        let options = try FloodOptions(arguments)
        for endpoint in [place.endpoints.events, place.endpoints.fetch] {
            if let refusal = LoadTarget.refusal(of: endpoint, owned: arguments.text("i-own-this-host")) {
                throw arguments.refusal(refusal)
            }
        }
        let processes = options.processes ?? ProcessTable(folder: place.folder.path)
        let stop = try Signals([SIGINT, SIGTERM])
        var access = FloodAccess()
        access.events = try place.calling(place.endpoints.events, as: "operator")
        access.fetch = try place.calling(place.endpoints.fetch, as: "operator")
        access.operators = try place.calling(place.endpoints.operators, as: "operator")
        access.ready = try place.calling(place.endpoints.ready, as: "operator")
        var loop = try FloodLoop(options.plan, at: place.endpoints, access: access, processes: processes, stop: stop)
        if try !loop.connect(within: Place.silence) {
            try place.tellOfWaiting(for: place.endpoints.events, isQuestion: false)
            guard try loop.connect(within: .seconds(10)) else {
                throw Failure(ClientError.noAnswer(endpoint: place.endpoints.events))
            }
        }
        let stretch =
            try options.searchBound.map { try CapacityRun(options, bound: $0).search(&loop) } ?? options.stretch
        let ask = { [access] () throws in try ServiceTimes(askedAt: place.endpoints.operators, access.operators) }
        try FloodRun(options, folder: place.folder, times: ask).run(stretch, &loop)
    }
}

/// One flood from its first event to its verdict.
struct FloodRun {
    let options: FloodOptions
    let folder: DataFolder
    let times: () throws -> ServiceTimes

    init(_ options: FloodOptions, folder: DataFolder, times: @escaping () throws -> ServiceTimes) {
        (self.options, self.folder, self.times) = (options, folder, times)
    }

    func run(_ stretch: FloodStretch, _ loop: inout FloodLoop) throws {
        let progress = options.progress
        let before = try times()
        let moments = try loop.run(stretch) { progress.show($0) }
        let spent = try times().since(before)
        let verdict = try loop.audit(within: loop.plan.settleTime) { progress.show(read: $0, of: $1) }
        let files = try compared(&loop)
        progress.bar.end()
        let report = FloodReport(loop, stretch, moments, verdict, files: files, times: spent)
        print(options.isJSON ? report.json : report.text)
        if let path = options.reportPath { try OutputFile.write(report.html, to: path) }
        guard report.isClean else {
            throw Failure(.failed, "not all was as it must be; the tables and examples above say what")
        }
    }

    /// Compares the files of the folder, where they are on this machine.
    private func compared(_ loop: inout FloodLoop) throws -> FileComparison {
        do {
            var files = try StoredRows(in: folder)
            return .verdict(try loop.compare(within: loop.plan.settleTime) { try files.rows(of: $0) })
        } catch let absence as StoredRows.Absence {
            return .none(absence.reason)
        } catch let error as StorageError {
            return .unreadable(Failure(error).sentence)
        }
    }
}

extension FloodReport {
    /// The report for a terminal.
    var text: String {
        let tables = [latencyRows, answerRows, processRows, stageRows, ledgerRows].filter { !$0.isEmpty }
            .map { Columns.aligned($0) }
        let rates = String(
            format: "accepted %.0f/s, readable %.0f/s, all settled %.2f s after the last event", acceptedRate,
            readyRate,
            settlingTime)
        let words = [filesNotRead].compactMap(\.self) + (examples.isEmpty ? [] : [examples.joined(separator: "\n")])
        return ([summary, rates] + tables + words).joined(separator: "\n\n")
    }
}
