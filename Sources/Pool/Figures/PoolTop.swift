import JSON

/// The conversations and kinds of most events lately: in about the last minute, as half is forgotten each half minute.
package struct PoolTop: Equatable, Sendable {
    package var conversations: [Line] = []
    package var kinds: [Line] = []
    /// The number of all events.
    package var events = 0

    package static let most = 50

    package struct Line: Equatable, Sendable {
        package var name: String
        package var events: Int

        package init(name: String, events: Int) { (self.name, self.events) = (name, events) }
    }

    package init() {}

    func writeMembers(to json: inout JSONWriter) {
        json.key("events")
        json.integer(events)
        for (name, lines) in [("conversations", conversations), ("kinds", kinds)] {
            json.key(name)
            json.array { json in
                for line in lines {
                    json.object {
                        $0.key("name")
                        $0.string(line.name)
                        $0.key("events")
                        $0.integer(line.events)
                    }
                }
            }
        }
    }
}
