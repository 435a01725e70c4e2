import Console
import FormeLayout
import Gateway
import HTTP
import Secrets
import Settings
import Shaping
import Storage
import Transport
import Typography
import Webfonts
import Wire

extension Place {
    /// The settings of a gateway's HTTP; nil where it has none.
    func web() throws -> WebSettings? {
        let http = configuration.http
        guard let server = try webServer() else { return nil }
        let isLocal = isLocal(server.address)
        return WebSettings(
            server: server, tokens: http.tokens.map { TokenKeyFolder($0) }, origins: Set(http.origins),
            fonts: try servedFonts(), webfonts: WebfontFolder(folder, plan: SlicePlan.version),
            calling: try calling(endpoints.events, as: KeyFolder.gatewayName),
            isOpenHouse: isLocal && !http.proxy, mayWriteWithoutToken: isLocal || http.open == .everything,
            knowsAddresses: knowsAddresses, tokenLife: .seconds(http.tokenDays * 86_400),
            streamsPerSubject: http.streamsPerSubject,
            pages: webFolder.map { .folder(path: $0) } ?? (!http.pages ? .none : isWatched ? .watched : .embedded))
    }

    private func isLocal(_ address: String) -> Bool { Locality("tcp://\(address)") == .loopback }
    private var knowsAddresses: Bool { !configuration.http.proxy || !configuration.http.proxies.isEmpty }

    /// The options of a gateway's HTTP server; nil where it has none.
    func webServer() throws -> ServerOptions? {
        let http = configuration.http
        guard let address = http.listen else { return nil }
        if !isLocal(address) { try checkReach(of: http, at: address) }
        var server = ServerOptions(address: address)
        if let certificate = http.certificate, let key = http.certificateKey {
            server.certificate = .init(path: certificate, key: key)
        }
        server.connections = http.connections
        for proxy in http.proxies where !server.proxies.add(proxy) {
            throw Failure(
                .usage,
                "http.proxies: '\(proxy)' is neither an address, such as 10.0.0.7, nor a network, such as 10.0.0.0/8")
        }
        server.connectionsPerAddress = http.connectionsPerAddress ?? (knowsAddresses ? 256 : http.connections)
        server.firstHead = .seconds(http.firstHeadSeconds)
        // The first event of a stream is a whole window.
        server.backlog = 1 << 20
        // With what is kept, they leave room below the ceiling of memory.
        server.answers = (configuration.memory << 20) / 2
        server.backlogs = (configuration.memory << 20) / 4
        return server
    }

    /// Refuses settings that protect too little: without tokens everybody who reaches the port is answered, and
    /// without TLS everybody on the way sees the tokens.
    private func checkReach(of http: Configuration.Web, at address: String) throws {
        guard http.tokens != nil || http.open != .nothing else {
            throw Failure(
                .usage,
                "\(address) is reached by others, so tokens are needed: set http.tokens, after forme token keys make; or "
                    + "http.withoutTokens to \"\(Configuration.Web.readingAccepted)\"")
        }
        guard http.certificate != nil || http.proxy || http.mayBePlain else {
            throw Failure(
                .usage,
                "\(address) is reached by others, and without TLS they read tokens and messages: set http.certificate and "
                    + "http.certificateKey, http.proxy: true behind a proxy that speaks TLS, or http.plainTransport to "
                    + "\"\(Configuration.Web.plainAccepted)\"")
        }
    }

    private func servedFonts() throws -> [ServedFont] {
        let list = try FontOption.loader(configuration.fonts)()
        let files = list.families.flatMap { family in family.faces.map { (family, $0) } }
        return zip(files, list.faces).compactMap { file, face in
            let (family, file) = file
            return file.identity.map { identity in
                ServedFont(
                    family: family.name, weight: file.weight.map { Int($0) }, isItalic: file.isItalic,
                    isEmoji: family.isEmoji, isMonospaced: family.isMonospaced,
                    languages: family.languages.map(\.description), instead: family.instead, index: file.index,
                    hash: "\(identity)", path: file.path, bytes: face.mappedBytes,
                    characters: CharacterRanges(face.characters()), licence: family.licence)
            }
        }
    }
}
