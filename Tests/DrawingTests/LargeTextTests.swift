import FormeLayout
import JSON
import Rows
import TestSupport
import Testing
import Typography

@testable import Drawing
@testable import MessageLayout

// Defects that somebody saw in pictures of the narrowest screen with the largest texts.

/// The narrowest screens that styles have, both ways, with texts from the smallest to the largest.
private let narrow = [Int32(85), 150, 200].flatMap { percent in
    [false, true].map {
        Target(
            width: .points(320), scale: Scale(thousandths: 2000), textScale: TextScale(percent: percent),
            isMirrored: $0)
    }
}

/// Everything that stands around words at once.
private let laden =
    #""name":"Anna-Maria Konstantinopoulou-Featherstonehaugh","edited":true,"forward":{"from":"Weekly news of the neighbourhood"},"#
    + #""reply":{"sender":"Ben","text":"Can you look at the second page?"},"reactions":[{"emoji":"👍","count":12}],"#
    + #""thread":{"count":14},"translation":{"text":"Das ist der Text"}"#

@Test(arguments: Drawn.styles)
func `no words lie over other words, whatever the kind and however large they are`(style: String) throws {
    var studio = try Drawn.Studio(style, on: narrow)
    for kind in Drawn.kinds {
        for message in try Drawn.messages(kind) {
            for shown in try studio.seen(message) {
                let words = shown.model.skeleton.nodes.indices.flatMap { node in
                    shown.lines(of: node).map { (part: shown.part(of: node), frame: $0.frame) }
                }
                for (number, one) in words.enumerated() {
                    for other in words[(number + 1)...] where other.frame.overlaps(one.frame) {
                        Issue.record("\(shown.name): \(other.part) lies over \(one.part) of \(kind)")
                    }
                }
            }
        }
    }
}

@Test(arguments: Drawn.styles, ["text", "photo", "sticker", "streaming"])
func `a time of day is one line, in its place and whole, and who is forwarded can be read`(
    style: String, kind: String
) throws {
    let content = [
        "text": #""text":"ok""#, "photo": #""photo":{"width":20,"height":20}"#, "sticker": #""sticker":{}"#,
        "streaming": #""text":"ok""#,
    ]
    for shown in try seen(message: #"{"kind":"\#(kind)",\#(content[kind]!),\#(laden)}"#, in: style, on: narrow) {
        for time in shown.all("time") {
            let lines = shown.lines(of: time)
            #expect(lines.count == 1 && !lines[0].traits.contains(.ellipsis), "\(shown.name)")
            let frame = lines[0].frame
            #expect(frame.left >= 0 && frame.right <= shown.model.size.width, "\(shown.name)")
        }
        let from = try #require(shown.all("forwardedFrom").first)
        #expect(shown.lines(of: from)[0].frame.width >= shown.pixels(70), "\(shown.name)")
    }
}

@Test(
    arguments: Drawn.styles,
    [
        #"{"kind":"video","video":{"width":40,"height":30},"duration":83,"edited":true}"#,
        #"{"kind":"gif","gif":{"width":40,"height":30},"edited":true}"#,
        #"{"kind":"album","photos":[{"picture":{}},{"picture":{},"duration":122},{"picture":{},"duration":122}]}"#,
        #"{"kind":"album","photos":[{"picture":{}},{"picture":{}},{"picture":{},"duration":122},{"picture":{},"duration":122},{"picture":{},"duration":83}]}"#,
    ])
func `nothing over a picture covers anything else there, and each of it is whole`(style: String, message: String) throws
{
    for shown in try seen(message: message, in: style, on: narrow) {
        let parts = ["play", "duration", "badge", "capsule"].flatMap { shown.all($0) }.map { shown.frame(of: $0) }
        for (number, one) in parts.enumerated() {
            for other in parts[(number + 1)...] { #expect(!one.overlaps(other), "\(shown.name)") }
        }
        for text in shown.all("durationText") {
            #expect(!shown.lines(of: text)[0].traits.contains(.ellipsis), "\(shown.name)")
        }
    }
}

@Test(arguments: Drawn.styles)
func `nothing reaches beyond the row, whatever the kind and however large texts are`(style: String) throws {
    var studio = try Drawn.Studio(style, on: narrow)
    for kind in Drawn.kinds {
        for message in try Drawn.messages(kind) {
            for shown in try studio.seen(message) {
                let room = Screen(shown.target, of: studio.style).room.room(inRow: shown.target.rowPixels)
                for node in shown.model.skeleton.nodes.indices where shown.model.placements[node].isPresent {
                    let frame = shown.frame(of: node)
                    let isInside = frame.left >= 0 && frame.right <= room
                    #expect(isInside, "\(shown.name): \(shown.part(of: node)) of \(kind): \(frame) of \(room)")
                }
            }
        }
    }
}

@Test(arguments: Drawn.styles, ["poll", "quiz"])
func `bars that are compared are equally long, however large texts are`(style: String, kind: String) throws {
    var studio = try Drawn.Studio(style, on: narrow)
    for message in try Drawn.messages(kind) {
        for shown in try studio.seen(message) {
            let tracks = (shown.all("track") + shown.all("trackRoom")).map { shown.frame(of: $0).width }
            #expect(Set(tracks).count <= 1, "\(shown.name): \(tracks)")
        }
    }
}

@Test(arguments: Drawn.styles)
func `a line parts what is above it from what is below, and stands nowhere else`(style: String) throws {
    let untranslated = #"{"kind":"text","text":"ok","translation":{"text":""}}"#
    for shown in try seen(message: untranslated, in: style) { #expect(shown.all("translationLine").isEmpty) }
    for kind in [#""sticker","sticker":{}"#, #""emoji","text":"🎉""#, #""roundVideo","video":{}"#] {
        for shown in try seen(message: #"{"kind":\#(kind),"thread":{"count":14}}"#, in: style) {
            #expect(shown.all("threadLine").isEmpty && shown.all("thread").count == 1, "\(shown.name)")
        }
    }
    for shown in try seen(message: #"{"kind":"text","text":"ok","thread":{"count":14}}"#, in: "bubble") {
        #expect(shown.all("threadLine").count == 1, "\(shown.name)")
    }
}

@Test(arguments: Drawn.styles)
func `a line of a conversation has the corners of its style`(style: String) throws {
    let decoration = try Drawn.Studio(style).style.decoration()
    #expect(try #require(decoration).corners.large > .zero)
}

@Test(arguments: Drawn.styles)
func `the mark of a quiz is as round as it is large`(style: String) throws {
    let message = #"{"kind":"quiz","question":"?","options":[{"text":"a"}]}"#
    for shown in try seen(message: message, in: style, on: narrow) {
        let tick = shown.all("tick")[0]
        #expect(2 * shown.model.placements[tick].radius >= shown.frame(of: tick).width - 1, "\(shown.name)")
    }
}
