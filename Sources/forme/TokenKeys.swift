import Console
import Operations
import Secrets

/// `forme token keys …`: the keys that sign tokens.
enum TokenKeys {
    static func run(_ words: [String]) throws {
        let options = words.first == "revoke" ? ["key"] + TokenFolder.options : TokenFolder.options
        let arguments = try Arguments(Array(words.dropFirst()), of: "token", options: options)
        let folder = try TokenFolder.folder(arguments)
        let trail = AuditTrail(in: folder.path)
        switch words.first {
        case "make":
            let id = try folder.make()
            trail.note("made a key of tokens", ["key": .text("\(id)")])
            print("made \(id) in \(folder.path)")
        case "rotate":
            let id = try folder.rotate()
            trail.note("signs tokens with another key", ["key": .text("\(id)")])
            print("signing with \(id) from now on")
        case "revoke": try revoke(arguments, in: folder, trail)
        case "list": try list(folder)
        default: throw arguments.refusal("forme token keys make, rotate, revoke or list?")
        }
    }

    private static func revoke(_ arguments: Arguments, in folder: TokenKeyFolder, _ trail: AuditTrail) throws {
        let text = try arguments.required("key")
        guard let id = TokenKeyID(text) else {
            throw arguments.refusal("--key takes 16 small hexadecimal digits, not '\(text)'")
        }
        try folder.revoke(id)
        trail.note("revoked a key of tokens", ["key": .text("\(id)")])
        print("revoked \(id), and every token that it signed")
    }

    private static func list(_ folder: TokenKeyFolder) throws {
        let signing = try folder.signingKeyID()
        for id in try folder.ring().keys.keys.map({ "\($0)" }).sorted() {
            print(id == signing.map { "\($0)" } ? "\(id) signs" : id)
        }
    }
}
