import CZMQ
import Glibc

/// The thread that answers libzmq's question about every key that asks to come in (ZAP, RFC 27). It ends with its
/// context.
///
/// The domain of a question is the list of roles that the endpoint admits, so that one doorkeeper is enough for all
/// endpoints. The user id of an answer is the key itself: with it `Socket` asks the door again about the sender of
/// each message.
enum Doorkeeper {
    private static let endpoint = "inproc://zeromq.zap.01"

    /// Starts the doorkeeper, which is in place when this returns: without one, libzmq would admit every peer that
    /// knows the server's public key.
    static func start(in context: Context, at door: Door) throws(TransportError) {
        // The socket must not keep the context: the end of the context is the end of the thread.
        let socket = try SocketHandle(type: ZMQ_REP, context: context, keepsContext: false)
        try socket.bind(endpoint)
        socket.handOver { serve($0, door) }
    }

    private static func serve(_ socket: SocketHandle, _ door: Door) {
        do throws(TransportError) {
            while true {
                guard let question = try socket.receiveMessage(0) else { continue }
                for (index, part) in answer(to: question.parts, door).enumerated() {
                    _ = socket.send(part, flags: index < 5 ? ZMQ_SNDMORE : 0)
                }
            }
        } catch {
            // The context was ended; the socket is closed with this thread's last use of it.
        }
    }

    /// The answer to a question. A question has the parts version, request, domain, address, routing id, mechanism
    /// and key; an answer has the parts version, request, status, reason, user id and metadata.
    static func answer(to question: [[UInt8]], _ door: Door) -> [[UInt8]] {
        let request = question.count > 1 ? question[1] : []
        func reply(_ status: String, _ user: [UInt8] = []) -> [[UInt8]] {
            [Array("1.0".utf8), request, Array(status.utf8), [], user, []]
        }
        guard question.count == 7, text(question[5]) == "CURVE", question[6].count == 32 else { return reply("400") }
        let key = PublicKey(bytes: question[6])
        let roles = Set(text(question[2]).split(separator: ",").compactMap { KeyRole(rawValue: String($0)) })
        guard door.answer(key, from: text(question[3]), among: roles) != nil else { return reply("400") }
        return reply("200", Array(key.description.utf8))
    }

    static func domain(of roles: Set<KeyRole>) -> String { roles.map(\.rawValue).sorted().joined(separator: ",") }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
