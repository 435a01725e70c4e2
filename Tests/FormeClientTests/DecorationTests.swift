import Conversation
import MessageLayout
import Names
import Rows
import Testing
import Wire

@testable import FormeClient

/// A row as it comes, with what stands around it.
private func row(_ decoration: Rows.Decoration) throws -> Row {
    Row(
        WindowRow(
            number: MessageNumber(1), message: try MessageID("m1"), order: 1, height: decoration.height, lead: 0,
            strip: decoration.height, body: .init(decoration: decoration, layout: [])), y: 0)
}

private func bare() -> Rows.Decoration {
    Rows.Decoration(
        variant: .own, series: .single, height: 90, gapAbove: 0, gapBelow: 0,
        content: PixelRect(left: 70, top: 20, width: 200, height: 60),
        bubble: .init(largeRadius: 9, smallRadius: 3, smallCorners: [], hasTail: false))
}

@Test func `everything that stands around a row reaches its client, each thing in its own rectangle`() throws {
    func rect(_ left: Int32) -> PixelRect { PixelRect(left: left, top: left + 1, width: left + 2, height: left + 3) }
    var decoration = bare()
    (decoration.variant, decoration.avatar, decoration.failedIcon) = (.otherWithName, rect(10), rect(20))
    (decoration.selectionHandle, decoration.unreadLine) = (rect(30), rect(40))
    decoration.dateLine = .init(frame: rect(50), day: LocalDay(number: 20_540))
    (decoration.bubble.hasTail, decoration.bubble.smallCorners) = (true, [.bottomStart])
    let told = try row(decoration).decoration
    #expect(told.content == Rect(left: 70, top: 20, width: 200, height: 60))
    #expect(told.avatar == Rect(left: 10, top: 11, width: 12, height: 13))
    #expect(told.failedIcon == Rect(left: 20, top: 21, width: 22, height: 23))
    #expect(told.selectionHandle == Rect(left: 30, top: 31, width: 32, height: 33))
    #expect(told.unreadLine == Rect(left: 40, top: 41, width: 42, height: 43))
    #expect(told.dateLine == Rect(left: 50, top: 51, width: 52, height: 53) && told.day == 20_540)
    #expect(told.side == .other && told.showsName)
    #expect(told.bubble == .init(largeRadius: 9, smallRadius: 3, smallCorners: [.bottomStart], hasTail: true))
}

@Test func `what does not stand around a row has the rectangle that is nowhere`() throws {
    let told = try row(bare()).decoration
    for rect in [told.avatar, told.failedIcon, told.selectionHandle, told.unreadLine, told.dateLine] {
        #expect(rect == .zero && rect.isEmpty)
    }
    #expect(told.side == .own && !told.showsName && !told.content.isEmpty)
}

@Test func `where there is no window yet there are no rows, and none to ask for`() {
    let none = FormeClient.Window.none
    #expect(none.isEmpty && none.source == .nobody && none.fits && none.isWhole)
    #expect(!none.hasOlder && !none.hasNewer && none.rowsAbove == 0 && none.rowsBelow == 0)
    #expect(none.extent.isEmpty && none.loaded.isEmpty)
    #expect(Row.zero.decoration == .none && !Row.zero.hasBody && Row.zero.height == 0)
    var viewport = Viewport(height: 1_400)
    viewport.show(none)
    #expect(viewport.wanted(of: none).isEmpty && viewport.anchor(in: none) == .none)
}
