import Bytes
package import MessageLayout
import Typography
package import Wire

/// A window as a picture: rows one below the other, each with what stands around its content. What messages say is not known
/// here, so that texts are shown by their baselines.
package struct WindowPicture {
    private let reply: WindowReply
    private let target: Target

    package init(_ reply: WindowReply, on target: Target) { (self.reply, self.target) = (reply, target) }

    package var page: String {
        get throws(ByteError) {
            let height = reply.rows.reduce(0) { $0 + Int64($1.height) }
            var inside = Markup()
            var y: Int64 = 0
            for row in reply.rows {
                if let body = row.body { try draw(row, body, at: y, into: &inside) }
                y += Int64(row.height)
            }
            let (width, points) = (points(Int64(target.rowPixels)).markup, points(height).markup)
            return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(width)\" height=\"\(points)\">\n<style>\n"
                + Picture.style
                + "\n</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n\(inside.text)</svg>\n"
        }
    }

    private func draw(
        _ row: WindowRow, _ body: WindowRow.Body, at y: Int64, into markup: inout Markup
    ) throws(ByteError) {
        let decoration = body.decoration
        for (frame, name) in [
            (decoration.dateLine?.frame, "divider"), (decoration.unreadLine, "divider"), (decoration.avatar, "avatar"),
            (decoration.failedIcon, "icon"), (decoration.selectionHandle, "control"),
        ] {
            guard let frame else { continue }
            markup.element(
                "rect",
                [
                    ("class", name), ("x", points(Int64(frame.left))), ("y", points(y + Int64(frame.top))),
                    ("width", points(Int64(frame.width))), ("height", points(Int64(frame.height))),
                ])
        }
        let model = try body.model()
        let texts = model.skeleton.texts.map { _ in RichText("") }
        markup.append(
            Picture(model, texts, on: target).element(
                left: points(Int64(decoration.content.left)), top: points(y + Int64(decoration.content.top))))
    }

    private func points(_ pixels: Int64) -> Double { Double(pixels) * 1000 / Double(target.scale.thousandths) }
}
