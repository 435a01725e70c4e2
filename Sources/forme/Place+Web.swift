import FormeLayout
import Gateway
import HTTP
import Secrets
import Settings
import Shaping
import Transport
import Wire

extension Place {
    /// What a gateway speaks HTTP with; nil where it does not.
    func web() throws -> WebSettings? {
        let http = configuration.http
        guard let address = http.listen else { return nil }
        // Who asks for no token answers everybody who reaches the port.
        guard http.tokens != nil || configuration.security.mayBePlain || Locality("tcp://\(address)") == .loopback
        else {
            throw Failure(
                .usage,
                "\(address) is reached by others, so tokens are needed: set http.tokens, after forme token keys make")
        }
        var server = ServerOptions(address: address)
        if let certificate = http.certificate, let key = http.certificateKey {
            server.certificate = .init(path: certificate, key: key)
        }
        // The first event of a stream is a whole window.
        server.backlog = 1 << 20
        return WebSettings(
            server: server, tokens: http.tokens.map { TokenKeyFolder($0) }, origins: Set(http.origins),
            fonts: try servedFonts(), calling: try calling(endpoints.events, as: "operator"))
    }

    private func servedFonts() throws -> [ServedFont] {
        try FontOption.loader(configuration.fonts)().families.flatMap { family in
            family.faces.compactMap { face in
                face.identity.map { identity in
                    ServedFont(
                        family: family.name, weight: face.weight.map { Int($0) }, isItalic: face.isItalic,
                        isEmoji: family.isEmoji, isMonospaced: family.isMonospaced, index: face.index,
                        hash: "\(identity)", path: face.path)
                }
            }
        }
    }
}
