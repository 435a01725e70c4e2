import Names
import Wire

/// The change that an event, or another card, makes to the registers of a message.
struct RegisterChange: Equatable {
    var isNewer = false
    var isOlder = false
    /// The register that has another value under the same revision.
    var conflict: String?
}

extension MessageCard {
    /// Whether body and order are known, and it is not deleted: then it has a row.
    package var isComplete: Bool { body != nil && order != nil && deletion == nil }

    /// Takes those registers of the event that are newer, whatever came before: the highest revision of each wins.
    ///
    /// - Parameters:
    ///   - place: the place of the event's body, if it has one.
    ///   - subject: the reader of a voice that does not name one.
    mutating func take(_ event: MessageEvent, body place: BodyPlace?, of subject: SenderID? = nil) -> RegisterChange {
        let revision = event.revision
        var said = MessageCard(number: number)
        said.body = place.map { Register(revision: revision, value: $0) }
        said.order = event.order.map { Register(revision: revision, value: $0) }
        said.status = event.status.map { Register(revision: revision, value: $0) }
        said.reactions = event.reactions.map { Register(revision: revision, value: $0) }
        said.voices = event.react?.voices(revision, of: subject) ?? []
        said.deletion = event.isDeleted ? revision : nil
        return take(said)
    }

    /// Takes the registers that are newer in another card of the same message.
    mutating func take(_ other: MessageCard) -> RegisterChange {
        var change = RegisterChange()
        if let deletion = other.deletion { delete(deletion, &change) }
        guard deletion == nil else {
            // Absorbed: a deleted message takes nothing any more, and keeps nothing.
            if other.deletion == nil, other.setsRegisters { change.isOlder = true }
            return change
        }
        if change.take(other.body, into: &body, by: { $0.hash == $1.hash }) { change.conflict = "body" }
        if change.take(other.order, into: &order, by: ==) { change.conflict = "order" }
        if change.take(other.status, into: &status, by: ==) { change.conflict = "status" }
        if change.take(other.reactions, into: &reactions, by: ==) { change.conflict = "reactions" }
        for voice in other.voices where take(voice, &change) { change.conflict = "react" }
        return change
    }

    private var setsRegisters: Bool {
        body != nil || order != nil || status != nil || reactions != nil || !voices.isEmpty
    }

    /// Takes a voice; true when the reader has said something else under the same revision.
    private mutating func take(_ voice: Voice, _ change: inout RegisterChange) -> Bool {
        let place = voices.firstIndex { !$0.stands(before: voice) } ?? voices.count
        guard place < voices.count, voices[place].hasPlace(of: voice) else {
            voices.insert(voice, at: place)
            change.isNewer = true
            return false
        }
        let known = voices[place]
        if known.revision < voice.revision {
            voices[place] = voice
            change.isNewer = true
        } else if known.revision > voice.revision {
            change.isOlder = true
        }
        return known.revision == voice.revision && known.choices != voice.choices
    }

    private mutating func delete(_ revision: Revision, _ change: inout RegisterChange) {
        if let deletion, revision <= deletion {
            if revision < deletion { change.isOlder = true }
            return
        }
        change.isNewer = true
        deletion = revision
        (body, order, status, reactions, voices) = (nil, nil, nil, nil, [])
    }
}

extension RegisterChange {
    /// Takes a register; true when it has another value under the same revision.
    mutating func take<Value>(
        _ offered: MessageCard.Register<Value>?, into register: inout MessageCard.Register<Value>?,
        by isSame: (Value, Value) -> Bool
    ) -> Bool {
        guard let offered else { return false }
        guard let known = register, known.revision >= offered.revision else {
            isNewer = true
            register = offered
            return false
        }
        guard known.revision == offered.revision else {
            isOlder = true
            return false
        }
        return !isSame(known.value, offered.value)
    }
}
