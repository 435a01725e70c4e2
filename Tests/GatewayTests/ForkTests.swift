import Conversation
import Names
import Rows
import TestSupport
import Testing
import Wire

@testable import Gateway

@Test func `where one reader has read up to changes nothing for those who look at the same`() throws {
    let stage = try WindowStage()
    try stage.fill(300)
    var reader = try Reader("r", on: stage)
    let before = reader.mirror
    func unread(_ mirror: WindowMirror) -> [Int64] {
        mirror.rows.filter { $0.body?.decoration.unreadLine != nil }.map(\.number.number)
    }
    for place in [280, 290] as [Int64] {
        let other = try Reader("s\(place)", on: stage, reader: WindowReader(unreadFrom: place))
        #expect(unread(other.mirror) == [place])
    }
    stage.letTimePass()
    try reader.listen()
    #expect(reader.mirror == before && unread(before).isEmpty)
    #expect(try Reader("t", on: stage).mirror == before)
    // A change of the conversation is told to every reader.
    try stage.commit([try stage.laidOut(301)])
    stage.tick()
    try reader.listen()
    #expect(try reader.mirror.rows.count == 51 && unread(reader.mirror).isEmpty && reader.isAsAfresh())
}
