import Console
import Daemons
import Foundation
import Glibc
import Transport
import Wire

/// A worker that lays out for another host.
enum RemoteOption {
    static let name = "remote"
    static let options = [name, "cache", "cache-megabytes"]

    static func work(_ endpoint: String, _ arguments: Arguments, _ place: Place) throws {
        guard endpoint.hasPrefix("tcp://") || endpoint.hasPrefix("ipc://") else {
            throw arguments.refusal(
                "--remote takes tcp://HOST:PORT, as the coordinator's --remotes says, not '\(endpoint)'")
        }
        let megabytes = try arguments.integer("cache-megabytes", in: 1...1 << 20, default: 512)
        let fonts = try FontCache(folder(arguments), limit: megabytes << 20)
        _ = nice(3)
        let stop = try Stop(arguments)
        var loop = try RemoteLoop(at: endpoint, access: place.calling(endpoint, as: "worker"), fonts: fonts)
        try loop.run(until: stop.sources)
    }

    private static func folder(_ arguments: Arguments) throws -> String {
        if let path = arguments.text("cache") { return URL(filePath: path).path }
        let environment = ProcessInfo.processInfo.environment
        if let cache = environment["XDG_CACHE_HOME"], cache.hasPrefix("/") { return cache + "/forme/remote" }
        guard let home = environment["HOME"], home.hasPrefix("/") else {
            throw Failure(.usage, "there is no home to keep fonts in; name a folder with --cache")
        }
        return home + "/.cache/forme/remote"
    }
}
