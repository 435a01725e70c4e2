import Console
import Flood
import FormeClientZMQ
import Foundation
import Names
import Transport
import Wire

/// A conversation that is longer than anybody reads, brought in behind everything else; its title shows the progress.
struct LongHistory: ~Copyable {
    private let conversation: ConversationID
    private let count: Int
    private let folder: String
    private let endpoints: Endpoints
    private var client: Client
    private var revision: UInt64 = 0
    private var done = 0
    private var importer: Importer?
    /// Messages of one file.
    private static let part = 20_000
    /// The number of messages at the end that are unread.
    private static let unread = 180
    private static let pause: Int64 = 30_000

    init(of count: Int, in folder: String, at endpoints: Endpoints) throws {
        let conversation = try ConversationID("million")
        let client = try Client(endpoints.events)
        (self.conversation, self.count, self.folder, self.endpoints) = (conversation, count, folder, endpoints)
        self.client = client
    }

    var isDone: Bool { done == count && importer == nil }

    /// Sends and listens for a moment.
    mutating func turn(now: Int64, stop: Source) throws {
        if importer == nil {
            guard done < count else { return }
            let end = min(done + Self.part, count)
            try tell("\(Self.words(count)) messages · \(done * 100 / count) % is here")
            importer = try begin(done..<end, now: now)
            done = end
        }
        try importer?.turn(stop: [stop])
        guard importer?.isDone ?? false else { return }
        importer = nil
        guard isDone else { return }
        try tell("\(Self.words(count)) messages")
        let read = ReadMark(reader: try SenderID("ada"), .order(order(count - Self.unread, now)))
        _ = try client.post(
            [.conversation(ConversationEvent(conversation: conversation, read: read))], within: .seconds(20))
    }

    private mutating func tell(_ title: String) throws {
        revision += 1
        let event = ConversationEvent(conversation: conversation, revision: Revision(revision), title: title)
        _ = try client.post([.conversation(event)], within: .seconds(20))
    }

    private func order(_ number: Int, _ now: Int64) -> Int64 { now - Int64(count - number) * Self.pause }

    private func begin(_ numbers: Range<Int>, now: Int64) throws -> Importer {
        let path = "\(folder)/history.jsonl"
        var text = ""
        for number in numbers {
            let (sender, name) = Self.people[(number / 3 * 7 + number / 31) % Self.people.count]
            let words = Sample.texts[(number * 7 + number / 20) % Sample.texts.count]
            let time = order(number, now)
            text +=
                #"{"conversation":"\#(conversation.text)","message":"n\#(number)","sender":"\#(sender)","time":\#(time),"#
            text +=
                #""order":\#(time),"body":{"kind":"text","text":"\#(number + 1) · \#(Self.escaped(words))","name":"\#(name)"}}"#
            text += "\n"
        }
        try Data(text.utf8).write(to: URL(filePath: path))
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw Failure(.inputOutput, "\(path) cannot be read")
        }
        return try Importer(file, from: ImportLedger.Place(), to: Producer(endpoints.events)) { line, words in
            throw Failure(.failed, "line \(line) of the long history was not kept: \(words)")
        }
    }

    private static let people = [
        ("noor", "Noor"), ("emil", "Emil"), ("ada", "Ada"), ("sade", "Sade"), ("kenji", "Kenji"), ("ines", "Inês"),
    ]

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }

    private static func words(_ count: Int) -> String {
        count == 1_000_000 ? "A million" : count.formatted(.number.locale(Locale(identifier: "en")))
    }
}
