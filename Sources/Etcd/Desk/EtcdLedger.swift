import Replication

/// The events and complaints that came of answers, until somebody takes them.
struct EtcdLedger {
    private var events: [LogEvent] = []
    private var complaints: [EtcdComplaint] = []
    /// The last complaint about the calls to each node, and the last about its contents. The same one is not said
    /// again; one about calls is, once a call has gone well.
    private var last: [Topic: EtcdComplaint] = [:]

    private struct Topic: Hashable {
        var url: String
        var isOfCalls: Bool
    }

    private static let mostComplaints = 64

    mutating func tell(_ event: LogEvent) { events.append(event) }

    mutating func takeEvents() -> [LogEvent] {
        defer { events = [] }
        return events
    }

    mutating func complain(_ complaint: EtcdComplaint) {
        let topic = Topic(url: complaint.subject.url, isOfCalls: complaint.subject.isOfCalls)
        guard last.updateValue(complaint, forKey: topic) != complaint else { return }
        if complaints.count < Self.mostComplaints { complaints.append(complaint) }
    }

    mutating func forgetCalls(to url: String) { last[Topic(url: url, isOfCalls: true)] = nil }

    mutating func takeComplaints() -> [EtcdComplaint] {
        defer { complaints = [] }
        return complaints
    }
}

extension EtcdComplaint {
    fileprivate var subject: (url: String, isOfCalls: Bool) {
        switch self {
        case .unreached(let url, _), .cut(let url, _), .refused(let url, _, _), .redirected(let url, _),
            .unreadable(let url, _), .otherCluster(let url, _, _):
            (url, true)
        case .forgot(let url, _, _), .gap(let url, _), .tooLarge(let url, _), .full(let url): (url, false)
        }
    }
}
