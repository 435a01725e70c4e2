import Conversation
import Foundation
import JSON
import MessageLayout
import Rows
import Storage
import TestSupport
import Testing
import Wire

@testable import Gateway

private func style(_ name: String) throws -> StyleSheet {
    let path = Project.file("config/styles/\(name).json5").path
    let bytes = Array(FileManager.default.contents(atPath: path) ?? Data())
    return try JSONDocument(name: path, bytes: bytes, dialect: .json5)
        .read { (root) throws(JSONError) in try StyleSheet(root) }
}

/// The room above the content of each row.
private func leads(_ reader: Reader) -> [Int32] { reader.mirror.rows.map(\.lead) }

@Test func `an edition of another style is dressed as its own workers say, and those of before stay as they are`()
    throws
{
    let stage = try WindowStage()
    try stage.fill(40)
    let before = try Reader("r", on: stage)
    let flat = try style("flat")
    try stage.roll(to: "0b", 1...40, height: 40)
    try EditionDecoration.write(try #require(flat.decorationText), of: stage.edition, in: stage.folder)
    stage.letTimePass()
    let after = try Reader("s", on: stage)
    #expect(after.mirror.frame.edition.text == "0b" && leads(after) != leads(before))

    let own = WindowDesk(in: stage.folder, style: try flat.decoration(), limits: WindowStage.patience)
    let opening = WindowOpening(
        window: WindowID(1), conversation: stage.conversation, target: WindowStage.target, count: 50, screen: 2000)
    guard case .window(let reply)? = own.answer(.open(opening), from: .visitor, at: .now).first else {
        Issue.record("not opened")
        return
    }
    #expect(reply.rows == after.mirror.rows)

    var old = before
    try old.listen()
    #expect(old.mirror.frame.isOld && leads(old) == leads(before))
}
