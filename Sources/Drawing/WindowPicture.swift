package import Bytes
import JSON
package import MessageLayout
package import Rows
package import Wire

/// A window as rows of a page.
package enum WindowPicture {
    /// A row whose message is not there is drawn without its words.
    package static func rows(
        of reply: WindowReply, on target: Target, for viewer: Viewer
    ) throws(ByteError) -> [RowPicture] {
        var rows: [RowPicture] = []
        for row in reply.rows {
            guard let body = row.body else { continue }
            rows.append(RowPicture(body.decoration, try body.model(), said(in: body), on: target, for: viewer))
        }
        return rows
    }

    /// The content of the message; a message that cannot be read is not known.
    private static func said(in body: WindowRow.Body) -> Said {
        guard let message = body.message else { return .nothing }
        do throws(JSONError) { return Said(said: try JSONValue.parse(message)) } catch { return .nothing }
    }
}
