import Foundation
import MessageLayout
import Names
import Record
import Typography
import Wire

// A call as a request for a stream of changes.
extension GatewayCall {
    /// The URL that everything of the conversation is below. A slash in its name is part of the name.
    func folder(at base: URL) throws(WindowError) -> URL {
        let start = base.absoluteString.hasSuffix("/") ? base.absoluteString : base.absoluteString + "/"
        guard let name = conversation.addingPercentEncoding(withAllowedCharacters: .unreserved),
            let url = URL(string: "\(start)v1/conversations/\(name)")
        else { throw .unreachable(base.absoluteString) }
        return url
    }

    func url(in folder: URL) throws(WindowError) -> URL {
        var items = [
            ("target", opening.target.text), ("around", opening.place.query), ("count", "\(opening.count)"),
            ("screen", "\(opening.screen)"),
        ]
        if let own = opening.reader.own { items.append(("as", own.text)) }
        if let order = opening.reader.unreadFrom { items.append(("unreadFrom", "\(order)")) }
        if let reader = opening.reader.query { items.append(("reader", reader)) }
        if !opening.wantsBodies { items.append(("bodies", "no")) }
        let with = [(opening.wantsMessages, "body"), (opening.wantsFonts, "fonts")].filter(\.0).map(\.1)
        if !with.isEmpty { items.append(("with", with.joined(separator: ","))) }
        if opening.wantsEditions { items.append(("editions", "yes")) }
        if opening.wantsUnavailable { items.append(("unavailable", "yes")) }
        let query = items.map { name, value in
            "\(name)=\(value.addingPercentEncoding(withAllowedCharacters: .unreserved) ?? "")"
        }
        guard let url = URL(string: "\(folder.absoluteString)/changes?\(query.joined(separator: "&"))") else {
            throw .unreachable(folder.absoluteString)
        }
        return url
    }

    /// The media type of the stream, with the highest version of rows that is wanted.
    var form: String {
        opening.rowVersion == .first ? HTTPLine.type : "\(HTTPLine.type); rows=\(opening.rowVersion.rawValue)"
    }

    /// The name of the last event that arrived.
    var mark: String? {
        resume.map { resume in
            let cursor = resume.cursor
            return "\(resume.line).\(cursor.epoch.number).\(cursor.stamp.number).\(cursor.turn)"
        }
    }
}

extension WindowReader {
    /// The reader without the parts that have parameters of their own, as bytes in hexadecimal; nil where it is the
    /// usual one.
    fileprivate var query: String? {
        var rest = self
        (rest.own, rest.unreadFrom) = (nil, nil)
        guard rest != WindowReader() else { return nil }
        return rest.encoded().map { String(Int($0) + 256, radix: 16).dropFirst() }.joined()
    }
}

extension WindowPlace {
    fileprivate var query: String {
        switch self {
        case .newest: "newest"
        case .unread: "unread"
        case .message(let message): "message:\(message)"
        case .date(let time): "date:\(time.milliseconds)"
        case .y(let y): "y:\(y)"
        }
    }
}

extension CharacterSet {
    fileprivate static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}
