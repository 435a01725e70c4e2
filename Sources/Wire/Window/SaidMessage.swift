import JSON
import Names

/// A message beside its layout: its sender, its time and its present state, in the words in which it was posted. It
/// is for clients that draw rows and keep no messages of their own.
///
/// ```json
/// {"sender": "ada", "time": 1700000000000, "revision": 2, "status": "read", "body": {"kind": "text", "text": "Hello"}}
/// ```
package enum SaidMessage {
    /// The most bytes of one. In JSON a byte of a name may take six.
    package static let longest = Limits.body + Limits.status + Limits.reactions + 6 * Limits.name + 128

    package static func encoded(_ state: MessageState) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(
            state.body.content.count + (state.status?.count ?? 0) + (state.reactions?.count ?? 0)
                + state.body.sender.text.utf8.count + 96)
        var json = JSONWriter(appendingTo: bytes)
        json.object { json in
            json.key(plain: "sender")
            json.string(state.body.sender.text)
            json.key(plain: "time")
            json.integer(state.body.time.milliseconds)
            json.key(plain: "revision")
            json.integer(state.revision.number)
            if let status = state.status {
                json.key(plain: "status")
                json.raw(status)
            }
            if let reactions = state.reactions {
                json.key(plain: "reactions")
                json.raw(reactions)
            }
            json.key(plain: "body")
            json.raw(state.body.content)
        }
        return json.bytes
    }
}
