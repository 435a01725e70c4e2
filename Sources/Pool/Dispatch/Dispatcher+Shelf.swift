import Wire

extension Dispatcher {
    /// The places on the shelf whose messages are just tried again: they wait, are lent, or are on their way to the
    /// disk or to the journal. A message that was tried again, and is on the shelf without being here, came back.
    package var triedAgain: Set<ShelfPlace> {
        var places = Set(context.note.unshelved)
        for edition in roll.all {
            for queue in edition.jobs.files.values { places.formUnion(queue.all.compactMap(\.replayOf)) }
        }
        for slot in lender.roster.slots {
            for flight in lender.roster.find(slot)?.flights ?? [] {
                places.formUnion(flight.tickets.compactMap(\.replayOf))
            }
        }
        return places
    }
}
