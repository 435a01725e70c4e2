import Console
import FormeLayout
import Foundation
import HTTP
import Secrets
import Settings
import Shaping
import Storage
import Transport

/// A check of everything that a service would be started with, before any of its processes starts: a mistake is told
/// once, at once, and with advice.
struct StartCheck {
    let place: Place

    /// A style and its fonts, with which a service lays out.
    struct Look {
        let families: [FontFamily]
        let fonts: [FontFamily]
        let edition: CompiledEdition
    }

    /// Checks the files that the configuration names: style, kinds, fonts, keys, tokens and certificate; and the
    /// folder, where it is there.
    func files() throws -> Look {
        let families = try FontOption.families(place.configuration.fonts)
        let fonts = try FontCatalog().identified(families)
        let edition = try CompiledEdition(StyleDocuments(reading: place.configuration.style), fonts: fonts)
        try keys()
        _ = try place.cluster()
        try addresses()
        if place.configuration.http.listen != nil, let tokens = place.configuration.http.tokens {
            _ = try TokenKeyFolder(tokens).ring()
        }
        let path = place.folder.path
        if FileManager.default.fileExists(atPath: path), !FileManager.default.isFolder(path) {
            throw Failure(.inputOutput, "\(path) is a file; name a folder with --data, or data in the configuration")
        }
        try place.folder.refuseForeign()
        try place.refuseRoot()
        try folder()
        return Look(families: families, fonts: fonts, edition: edition)
    }

    /// Checks the folder; a gateway of another user only reads it.
    private func folder() throws {
        if isGuest { return try FolderFormats.refuseNewer(in: place.folder) }
        try place.folder.refuseUnusable()
    }

    /// Whether this is the gateway of another user than the one whose folder it is.
    private var isGuest: Bool { place.configuration.security.gatewayGroup != nil && place.folder.isForeign }

    /// Checks the keys. A gateway of another user has no key but its own; a service has its workers', too.
    private func keys() throws {
        guard let path = place.configuration.security.keys else { return }
        let keys = KeyFolder(path)
        _ = try keys.guests()
        let files = [keys.server, keys.gateway].filter { FileManager.default.fileExists(atPath: $0) }
        for file in files.isEmpty ? [keys.server] : files { _ = try KeyFile(reading: file) }
        if files.contains(keys.server) { _ = try place.working() }
    }

    /// Checks the addresses to listen at. The process that is started last would find out that two are the same, and
    /// take the address for another server's.
    private func addresses() throws {
        try place.webServer()?.check()
        if let operators = place.configuration.metrics { try ServerOptions(address: operators).check() }
        if let overlap = place.configuration.listeningAddresses.overlap { throw Failure(.usage, overlap) }
        // A worker has a key and no folder of keys: it listens nowhere.
        guard place.configuration.security.keys == nil, place.configuration.security.key == nil else { return }
        let access = try place.listening()
        for own in place.configuration.listeningAddresses where own.listener != .web {
            let endpoint = "tcp://\(own.address)"
            try access.listening(at: endpoint, admits: []).refuseUnprotected(endpoint)
        }
    }

    /// Refuses addresses that are taken or not of this machine; where a service has the folder, they are its own.
    func ports() throws {
        if isGuest { return }
        do { try place.folder.refuseUse() } catch .inUse { return }
        try claimPorts()
    }

    private func claimPorts() throws {
        // Where another user runs the gateway, this service starts none.
        let hasGateway = place.configuration.security.gatewayGroup == nil
        for own in place.configuration.listeningAddresses where hasGateway || own.listener == .coordinator {
            let server = ServerOptions(address: own.address)
            // libzmq alone understands names and interfaces; those of HTTP were refused before.
            if (try? server.check()) != nil { try server.claim() }
        }
    }

    /// Checks the folder and the addresses, which another service may have. A service that ends at the moment is
    /// waited for.
    func claims() throws {
        let end = ContinuousClock.now + Self.patience
        while true {
            do {
                try place.folder.refuseUse()
                return try claimPorts()
            } catch {
                guard Failure(error).code == .unavailable, .now < end else { throw error }
                _ = poll(nil, 0, 100)
            }
        }
    }

    private static let patience: Duration = .seconds(3)
}
