import Console
import Foundation
import JSON
import Operations
import Secrets
import Settings

struct TokenCommand: Command {
    let name = "token"
    let summary = "makes, shows and revokes the tokens that open conversations, and their keys"
    let usage = """
        usage: forme token make SCOPE RIGHTS [OPTIONS]      prints a token
               forme token show [OPTIONS] < token           prints whether a token holds, and what it says
               forme token revoke [OPTIONS] < token         makes one token hold no longer
               forme token keys make|rotate|list [OPTIONS]
               forme token keys revoke --key ID [OPTIONS]   makes all tokens of a key hold no longer

          --conversation ID    the token is for this conversation,
          --prefix TEXT        or for all whose identifiers begin so,
          --all                or for all
          --read, --write      the rights of its bearer
          --backend            with --write: for everybody, with order, status and whole reactions
          --for TIME           how long it holds: 90s, 30m, 12h, 7d (default: 1h); gateways take 366 days at most, unless
                               http.tokenDays says otherwise
          --subject NAME       the sender whom its bearer reads as, and whose own messages it writes (default:
                               nobody, who only looks on)
          --keys FOLDER        the folder of the keys (default: http.tokens of the configuration, where gateways look; or else
                               tokens/ in the folder of journal and cache)
          --config FILE        the configuration (default: \(Configuration.standardFile), or else
                               \(Configuration.installedFile), where one is there)
          --data FOLDER        the folder of journal and cache (default: ./forme-data)

        Tokens are read from standard input, never from arguments, which every process can list; show ends with 1 for one that
        does not hold. Gateways take up a change of the folder within a second. They need only its .public files and 'revoked';
        signing.key is for the one who makes tokens.
        """

    func run(_ words: [String]) throws {
        let rest = Array(words.dropFirst())
        switch words.first {
        case "make": try makeToken(rest)
        case "show": try showToken(rest)
        case "revoke": try revokeToken(rest)
        case "keys": try TokenKeys.run(rest)
        default: throw Failure(.usage, "forme token make, show, revoke or keys? Read: forme help token")
        }
    }
}

/// The folder of the keys of tokens: the one that is named, or that of the service's gateways.
enum TokenFolder {
    static let name = "keys"
    static let options = [name, "config", "data"]

    static func folder(_ arguments: Arguments) throws -> TokenKeyFolder {
        if let path = arguments.text(name) { return TokenKeyFolder(path) }
        let configuration = try Place.configuration(arguments)
        return TokenKeyFolder(configuration.http.tokens ?? "\(configuration.data)/tokens")
    }

    static func trail(_ arguments: Arguments) throws -> AuditTrail { AuditTrail(in: try folder(arguments).path) }
}

private func makeToken(_ words: [String]) throws {
    let arguments = try Arguments(
        words, of: "token", options: ["conversation", "prefix", "for", "subject"] + TokenFolder.options,
        switches: ["all", "read", "write", "backend"])
    let key = try TokenFolder.folder(arguments).signingKey()
    let now = TokenTime.now
    let life = try lifetime(arguments)
    let claims = TokenClaims(
        key: key.publicKey.id, rights: try rights(arguments), scope: try scope(arguments),
        subject: try name(arguments, "subject") ?? "", issued: now, expires: now + life)
    if life > TokenVerifier.standardLife {
        let note = "gateways take tokens that were made for at most 366 days, unless http.tokenDays says otherwise\n"
        StandardError.write(note)
    }
    let text = key.token(claims)
    if let token = Token(text) {
        try TokenFolder.trail(arguments).note("made a token", ["token": .text(json(of: token, "made"))])
    }
    print(text)
}

private func rights(_ arguments: Arguments) throws -> TokenRights {
    let rights = TokenRights(
        [("read", .read), ("write", .write), ("backend", .backend)].compactMap { arguments.has($0) ? $1 : nil })
    guard !rights.isEmpty else { throw arguments.refusal("a token without --read or --write opens nothing") }
    switch (arguments.has("write"), arguments.has("backend"), arguments.text("subject") != nil) {
    case (false, true, _): throw arguments.refusal("--backend says for whom its bearer writes; give --write, too")
    case (_, true, true): throw arguments.refusal("--backend writes for everybody, --subject as one; give one of them")
    case (true, false, false):
        throw arguments.refusal(
            "--write needs --subject NAME, whose own messages its bearer writes, or --backend, to write for everybody")
    case (_, _, _): return rights
    }
}

private func scope(_ arguments: Arguments) throws -> TokenScope {
    let scopes: [TokenScope] = [
        try name(arguments, "conversation").map { .conversation($0) },
        try name(arguments, "prefix").map { .prefix($0) },
        arguments.has("all") ? .all : nil,
    ].compactMap(\.self)
    guard scopes.count == 1 else { throw arguments.refusal("give one of --conversation, --prefix and --all") }
    return scopes[0]
}

private func name(_ arguments: Arguments, _ option: String) throws -> String? {
    guard let text = arguments.text(option) else { return nil }
    guard 1...255 ~= text.utf8.count else { throw arguments.refusal("--\(option) takes 1 to 255 bytes") }
    return text
}

private func lifetime(_ arguments: Arguments) throws -> Duration {
    let text = arguments.text("for") ?? "1h"
    let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86400]
    guard let unit = text.last.flatMap({ units[$0] }), let count = Int(text.dropLast()),
        1...36500 * 86400 / unit ~= count
    else { throw arguments.refusal("--for takes a time such as 90s, 30m, 12h or 7d, not '\(text)'") }
    return .seconds(count * unit)
}

/// The one token on standard input.
private func givenToken() throws -> (text: String, token: Token) {
    let text = (readLine() ?? "").trimmingCharacters(in: .whitespaces)
    guard let token = Token(text) else {
        throw Failure(.failed, "standard input is no token; give one line, as forme token make prints it")
    }
    return (text, token)
}

private func showToken(_ words: [String]) throws {
    let arguments = try Arguments(words, of: "token", options: TokenFolder.options)
    let given = try givenToken()
    var verifier = TokenVerifier(try TokenFolder.folder(arguments).ring())
    do throws(TokenError) {
        _ = try verifier.verify(given.text, at: .now)
    } catch {
        print(json(of: given.token, error.sentence))
        throw Failure(.failed, "the token does not hold: \(error.sentence)")
    }
    print(json(of: given.token, "holds"))
}

private func revokeToken(_ words: [String]) throws {
    let arguments = try Arguments(words, of: "token", options: TokenFolder.options)
    let token = try givenToken().token
    try TokenFolder.folder(arguments).revoke(token.id, until: token.claims.expires, at: .now)
    try TokenFolder.trail(arguments).note("revoked a token", ["token": .text("\(token.id)")])
    print("revoked \(token.id)")
}

private func json(of token: Token, _ state: String) -> String {
    let claims = token.claims
    let (scope, text): (String, String?) =
        switch claims.scope {
        case .all: ("all", nil)
        case .conversation(let name): ("conversation", name)
        case .prefix(let start): ("prefix", start)
        }
    var json = JSONWriter()
    json.object { json in
        json.key("state")
        json.string(state)
        for (key, value) in [
            ("id", "\(token.id)"), ("key", "\(claims.key)"), ("subject", claims.subject), (scope, text ?? ""),
        ] {
            json.key(key)
            if key == "all" { json.bool(true) } else { json.string(value) }
        }
        for (key, right) in [("read", TokenRights.read), ("write", .write), ("backend", .backend)] {
            let value = claims.rights.contains(right)
            json.key(key)
            json.bool(value)
        }
        for (key, value) in [("issued", claims.issued), ("expires", claims.expires)] {
            json.key(key)
            json.string(Date(timeIntervalSince1970: Double(value.seconds)).ISO8601Format())
        }
    }
    return String(decoding: json.bytes, as: UTF8.self)
}

extension TokenError {
    fileprivate var sentence: String {
        switch self {
        case .malformed: "is no token"
        case .unknownKey: "signed with a key that is not here, or was revoked"
        case .badSignature: "not signed with the key that it names"
        case .expired: "expired"
        case .revoked: "revoked"
        case .early: "issued later than now; is the clock of its maker right?"
        case .unchecked: "not looked at"
        case .overlong: "made to hold for longer than 366 days, which gateways accept only where http.tokenDays says so"
        }
    }
}
