import FormeClientZMQ
import Foundation
import MessageLayout
import Typography
import Wire

/// Every window of so many rows of some conversations, on some screens: no row is in two of one screen.
struct PageQuestions {
    static let rowsPerPage = 50
    let conversations: [ConversationID]
    /// Each conversation has so many.
    let rows: Int
    let targets: [Target]

    var count: Int { conversations.count * (rows / Self.rowsPerPage) * targets.count }

    /// As `forme-baseline-floor` reads them: each a length of four bytes and a frame.
    func write(to path: String) throws {
        var bytes = ByteWriter()
        try forEach { bytes.block(Framed(ClientWord.open($0), request: RequestID(1)).encoded()) }
        try Data(bytes.bytes).write(to: URL(filePath: path))
    }

    /// Asks each of them once.
    func askAll(_ endpoint: String) throws {
        var link = try WindowLink(endpoint)
        try forEach { opening in
            guard case .window = try link.ask(.open(opening), within: .seconds(10)) else {
                throw Failure(.failed, "a window could not be opened")
            }
        }
    }

    private func forEach(_ body: (WindowOpening) throws -> Void) throws {
        for target in targets {
            for conversation in conversations {
                for page in 0..<rows / Self.rowsPerPage {
                    // A window around a moment has half of its rows above.
                    let middle = page * Self.rowsPerPage + Self.rowsPerPage / 2
                    let time = try Sample.event(middle, in: conversation).body?.time ?? Timestamp(milliseconds: 0)
                    try body(
                        WindowOpening(
                            window: WindowID(1), conversation: conversation, target: target,
                            reader: WindowReader(own: try SenderID("ada")), place: .date(time),
                            count: Self.rowsPerPage, screen: Int32(target.scale.thousandths) * 844 / 1000))
                }
            }
        }
    }
}
