import Console
import Flood
import FormeClientZMQ
import Foundation
import MessageLayout
import Names
import Transport
import Typography
import Wire

/// Windows of so many rows that cover some conversations on some screens: no row is in two windows of one screen.
struct PageQuestions {
    static let rowsPerPage = 50
    let conversations: [ConversationID]
    /// The number of rows in each conversation.
    let rows: Int
    let targets: [Target]

    var count: Int { conversations.count * (rows / Self.rowsPerPage) * targets.count }

    /// Writes the questions as `forme-baseline-floor` reads them: each a length of four bytes and a frame.
    func write(to path: String) throws {
        var bytes = ByteWriter()
        for opening in try openings { bytes.block(Framed(ClientWord.open(opening), request: RequestID(1)).encoded()) }
        try Data(bytes.bytes).write(to: URL(filePath: path))
    }

    /// The same questions over HTTP, without a reader.
    var paths: [String] {
        get throws {
            try openings.map { opening in
                guard case .date(let time) = opening.place else { preconditionFailure("all are around a moment") }
                let target = opening.target.text
                return "/v1/conversations/\(opening.conversation.text)/window?target=\(target)"
                    + "&screen=\(opening.screen)&around=date:\(time.milliseconds)"
            }
        }
    }

    /// Asks each question once.
    func askAll(
        _ endpoint: String, access: Access = Access(), _ hear: (Int, GatewayWord) throws -> Void = { _, _ in }
    ) throws {
        var link = try WindowLink(endpoint, access: access)
        for (number, opening) in try openings.enumerated() {
            var answer = try link.ask(.open(opening), within: .seconds(10))
            // A gateway that started a moment ago, or has a new edition, tells its clients to ask again.
            let deadline = ContinuousClock.now + .seconds(10)
            while case .refused(_, .busy) = answer, .now < deadline {
                _ = try link.next(within: .milliseconds(50))
                answer = try link.ask(.open(opening), within: .seconds(10))
            }
            guard case .window = answer else { throw Failure(.failed, "a window could not be opened: \(answer)") }
            try hear(number, answer)
        }
    }

    /// One question for each conversation, about rows in its middle, on the first screen.
    var middles: [WindowOpening] {
        get throws {
            try conversations.map { try opening(rows / Self.rowsPerPage / 2, of: $0, on: targets[0]) }
        }
    }

    private var openings: [WindowOpening] {
        get throws {
            var openings: [WindowOpening] = []
            for target in targets {
                for conversation in conversations {
                    for page in 0..<rows / Self.rowsPerPage {
                        openings.append(try opening(page, of: conversation, on: target))
                    }
                }
            }
            return openings
        }
    }

    private func opening(_ page: Int, of conversation: ConversationID, on target: Target) throws -> WindowOpening {
        // A window around a moment has half of its rows above.
        let middle = page * Self.rowsPerPage + Self.rowsPerPage / 2
        let time = try Sample.event(middle, in: conversation).body?.time ?? Timestamp(milliseconds: 0)
        return WindowOpening(
            window: WindowID(1), conversation: conversation, target: target,
            reader: WindowReader(own: try SenderID("ada")), place: .date(time), count: Self.rowsPerPage,
            screen: Int32(target.scale.thousandths) * 844 / 1000)
    }
}
