import Conversation
import FormeLayout
import Foundation
import MessageLayout
import Names
import Pool
import Storage
import TestSupport
import Testing
import Typography
import Wire

@testable import Gateway

@Test(arguments: [120, 347, 1_025, 2_560] as [Int32])
func `a conversation is shown on a screen of any width, though its style names no such`(points: Int32) throws {
    let style = try StyleFiles.open(Project.file("config/styles/bubble.json5").path)
    let target = Target(width: .points(points), scale: .two)
    #expect(!style.targets.contains(target))
    let source = LayoutSource(
        edition: try EditionID("0a"), style: style, texts: StyleTexts(style, measure: Worker.measure))
    let stage = try WindowStage(source: source)
    let knowing = try WindowStage()
    var worker = Worker(style, [Target(width: .points(375), scale: .three)])
    var other = Worker(style, [target])
    for number in 1...60 as ClosedRange<Int64> {
        try stage.commit([stage.change(number, .laidOut(worker.row(number, saying: Int(number))))])
        try knowing.commit([knowing.change(number, .laidOut(other.row(number, saying: Int(number))))])
    }
    let shown = try Reader("r", on: stage, target: target).mirror
    #expect(shown.rows.count == 50 && shown.rows.allSatisfy { $0.body?.layout.isEmpty == false })
    #expect(try shown.rows == Reader("r", on: knowing, target: target).mirror.rows)
}
