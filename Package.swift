// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// Whether another package depends on this one: SwiftPM keeps what it fetched in a folder of that name, and refuses unsafe
/// flags there.
let isDependency = Context.packageDirectory.split(separator: "/").dropLast().last == "checkouts"

/// Sixteen screens are solved in vectors: with those of 256 bits, where this machine has them, a layout takes a tenth less
/// time. `FORME_CPU=` builds for every machine of the architecture instead, `FORME_CPU=znver4` for that processor.
let vectors: [String] = {
    if let processor = Context.environment["FORME_CPU"] {
        return processor.isEmpty ? [] : ["-Xcc", "-march=\(processor)"]
    }
    let needed: Set<Substring> = ["abm", "avx2", "bmi1", "bmi2", "f16c", "fma", "movbe"]
    let flags = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8))?
        .split(separator: "\n").first { $0.hasPrefix("flags") }?.split(separator: " ")
    return needed.isSubset(of: flags ?? []) ? ["-Xcc", "-march=x86-64-v3"] : []
}()

/// Small values cross modules in the innermost loops: without this every mark is set by a call, a fifth of all time.
let fast: [SwiftSetting] =
    isDependency
    ? [] : [.unsafeFlags(["-cross-module-optimization"] + vectors, .when(configuration: .release))]

/// The house, from the ground up. `ArchitectureTests` holds every `import` to the same table.
let strict: [SwiftSetting] =
    fast + [
        .strictMemorySafety(),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]

func module(_ name: String, _ dependencies: [String] = []) -> Target {
    .target(name: name, dependencies: dependencies.map(dependency), swiftSettings: strict)
}

/// C libraries are Debian's. Where they are not, whatever needs none of them is built as it is: `FormeClient`, for one.
func dependency(_ name: String) -> Target.Dependency {
    let isC = name.first == "C" && name.dropFirst().first?.isUppercase == true
    return .byName(name: name, condition: isC ? .when(platforms: [.linux]) : nil)
}

func tests(_ name: String, _ dependencies: [String], fixtures: [String] = []) -> Target {
    .testTarget(
        name: name, dependencies: (dependencies + ["TestSupport"]).map { .byName(name: $0) }, exclude: fixtures,
        swiftSettings: strict)
}

/// A C library of Debian's, with the few wrappers that Swift cannot do without. Where `linked` is left out, the module map
/// links it: the flags of libzmq name Kerberos, which SwiftPM refuses.
func library(_ name: String, _ linked: String? = nil) -> Target {
    .systemLibrary(name: name, path: "Sources/C/\(name)", pkgConfig: linked)
}

/// A C program that `forme-bench text` runs for comparison.
func baseline(
    _ name: String, _ folder: String, _ libraries: [String] = [], flags: [String] = [], linking: [String] = []
) -> Target {
    .executableTarget(
        name: name, dependencies: libraries.map { .byName(name: $0) }, path: "Tests/Benchmarks/\(folder)",
        cSettings: [.headerSearchPath(".."), .unsafeFlags(flags)], linkerSettings: [.unsafeFlags(linking)])
}

/// What pkg-config says of a library; nil where it is not installed. SwiftPM's own way to ask refuses -pthread.
func flags(_ question: String, of library: String) -> [String]? {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["pkg-config", question, library]
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil, let text = try? output.fileHandleForReading.readToEnd() else { return nil }
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { return nil }
    return String(decoding: text, as: UTF8.self).split(whereSeparator: \.isWhitespace).map(String.init)
}

/// Pango comes with the packages for tests; Forme is built without it, too.
var pango: [Target] = []
if let cFlags = flags("--cflags", of: "pangoft2"), let linking = flags("--libs", of: "pangoft2") {
    pango = [baseline("forme-baseline-pango", "Pango", flags: cFlags, linking: linking)]
}

/// The logs of a cluster may be in etcd, which is spoken to through libcurl. Where libcurl is not, everything else is built and tested.
var etcd: [Target] = []
var engines: [String] = []
if flags("--libs", of: "libcurl") != nil {
    engines = ["Etcd"]
    etcd = [
        library("CCurl", "libcurl"),
        module("Etcd", ["Bytes", "JSON", "Pool", "Replication", "CCurl"]),
        tests("EtcdTests", ["Bytes", "Etcd", "HostFleet", "JSON", "Names", "Pool", "Replication", "Storage"]),
    ]
}

/// Or in PostgreSQL, through libpq.
var postgres: [Target] = []
if flags("--libs", of: "libpq") != nil {
    engines.append("Postgres")
    postgres = [
        library("CPQ", "libpq"),
        module("Postgres", ["Pool", "Replication", "CPQ"]),
        tests("PostgresTests", ["HostFleet", "Pool", "Postgres", "Replication"]),
    ]
}

let package = Package(
    name: "forme",
    // For `FormeClient`, whose page says why these. The service is Linux's.
    platforms: [.iOS(.v26), .macOS(.v26), .tvOS(.v26), .visionOS(.v26)],
    products: [
        .executable(name: "forme", targets: ["forme"]),
        // For programs that lay out what no service may read. What is `public` in it is all that they can use.
        .library(name: "FormeLayout", targets: ["FormeLayout"]),
        // For programs that show conversations: without C, wherever Foundation is; and over ZeroMQ, on Linux.
        .library(name: "FormeClient", targets: ["FormeClient"]),
        .library(name: "FormeClientZMQ", targets: ["FormeClientZMQ"]),
    ],
    targets: pango + etcd + postgres + [
        // Core: pure values and decisions. No C, no Foundation, no clock, no files.
        module("JSON"),
        module("Bytes"),
        module("Names", ["Bytes"]),
        module("Typography", ["Bytes"]),
        module("MessageLayout", ["Bytes", "JSON", "Typography"]),
        module("Rows", ["JSON", "MessageLayout", "Typography"]),
        module("Record", ["Bytes", "MessageLayout", "Names", "Rows", "Typography"]),
        module("Wire", ["Bytes", "JSON", "MessageLayout", "Names", "Record", "Rows", "Typography"]),
        module("Conversation", ["Bytes", "MessageLayout", "Names", "Record", "Rows", "Typography", "Wire"]),
        module("Pool", ["JSON", "Names", "Wire"]),
        module("Replication", ["Bytes", "MessageLayout", "Names", "Pool", "Wire"]),
        module("Simulation", ["Bytes", "Conversation", "MessageLayout", "Names", "Pool", "Replication", "Wire"]),

        // Edges: each the only door to its C library.
        library("CHarfBuzz", "harfbuzz"),
        .target(
            name: "CICU", path: "Sources/C/CICU", linkerSettings: [.linkedLibrary("icuuc")]),
        module("Shaping", ["Typography", "CHarfBuzz", "CICU"]),
        library("CHarfBuzzSubset", "harfbuzz-subset"),
        // libwoff2enc speaks C++ alone.
        .target(name: "CWOFF2", path: "Sources/C/CWOFF2", linkerSettings: [.linkedLibrary("woff2enc")]),
        module("Webfonts", ["CHarfBuzzSubset", "CWOFF2"]),
        library("CSQLite", "sqlite3"),
        .target(name: "CScrub", path: "Sources/C/CScrub", linkerSettings: [.linkedLibrary("sqlite3")]),
        module(
            "Storage",
            [
                "Bytes", "JSON", "MessageLayout", "Names", "Pool", "Record", "Replication", "Rows", "Wire", "CSQLite",
                "CScrub",
            ]),
        library("CZMQ"),
        module("Transport", ["CZMQ"]),
        library("CGnuTLS", "gnutls"),
        library("CSodium", "libsodium"),
        module("Secrets", ["Bytes", "CGnuTLS", "CSodium"]),
        library("CMicroHTTPD"),
        library("CZlib"),
        module("HTTP", ["CMicroHTTPD", "CZlib"]),

        // Shells: the loops that perform what the core decides.
        module(
            "FormeLayout",
            ["Bytes", "JSON", "MessageLayout", "Record", "Rows", "Secrets", "Shaping", "Typography", "Wire"]),
        module(
            "Daemons",
            [
                "Bytes", "FormeLayout", "JSON", "MessageLayout", "Names", "Operations", "Pool", "Record", "Replication",
                "Rows", "Secrets", "Shaping", "Storage", "Transport", "Wire",
            ]),
        module("Operations", ["Secrets"]),
        module("Drawing", ["Bytes", "JSON", "MessageLayout", "Rows", "Typography", "Wire"]),
        module("Settings", ["JSON", "Operations", "Transport", "Wire"]),
        module(
            "Console",
            [
                "Bytes", "Daemons", "FormeClientZMQ", "FormeLayout", "HTTP", "JSON", "MessageLayout", "Operations",
                "Secrets", "Settings", "Shaping", "Storage", "Transport", "Wire",
            ]),
        module(
            "Gateway",
            [
                "Bytes", "Conversation", "HTTP", "JSON", "MessageLayout", "Names", "Operations", "Pool", "Record",
                "Rows", "Secrets", "Storage", "Transport", "Typography", "Wire",
            ]),
        module(
            "FormeClient", ["Bytes", "Conversation", "MessageLayout", "Names", "Record", "Rows", "Typography", "Wire"]),
        module("FormeClientZMQ", ["Bytes", "FormeClient", "JSON", "Pool", "Wire", "Transport"]),
        module("Chaos", ["Daemons", "JSON", "Simulation", "Transport"]),
        module(
            "Flood",
            ["Bytes", "FormeClientZMQ", "JSON", "MessageLayout", "Names", "Pool", "Record", "Transport", "Wire"]),

        // The service and its tools.
        .executableTarget(
            name: "forme",
            dependencies: [
                "Bytes", "Chaos", "Console", "Conversation", "Daemons", "Drawing", "Flood", "FormeClient",
                "FormeClientZMQ",
                "FormeLayout",
                "Gateway", "HTTP", "JSON", "MessageLayout", "Names", "Operations", "Pool", "Record", "Replication",
                "Rows", "Secrets",
                "Settings", "Shaping", "Simulation", "Storage", "Transport", "Typography", "Webfonts", "Wire",
            ] + engines.map { .byName(name: $0) },
            swiftSettings: strict),

        // The laboratory, which runs the service where that is what it measures.
        .executableTarget(
            name: "forme-bench",
            dependencies: [
                "Bytes", "Console", "Conversation", "Daemons", "Flood", "FormeClient", "FormeClientZMQ", "FormeLayout",
                "Gateway", "HTTP", "JSON", "MessageLayout", "Names", "Pool", "Record", "Rows", "Secrets", "Settings",
                "Shaping",
                "Storage", "Transport", "Typography", "Wire", "forme",
            ],
            swiftSettings: strict),

        // What it is compared with; libpango only where it is installed.
        baseline("forme-baseline-harfbuzz", "HarfBuzz", ["CHarfBuzz"]),
        baseline("forme-baseline-floor", "Floor", linking: ["-lsqlite3", "-lzmq"]),

        .target(
            name: "TestSupport",
            dependencies: [
                "JSON", "MessageLayout", "Names", "Pool", "Record", "Replication", "Rows", "Typography", "Wire",
            ],
            path: "Tests/TestSupport",
            swiftSettings: strict),
        // Three hosts of a cluster without daemons, over whatever log.
        .target(
            name: "HostFleet",
            dependencies: ["Daemons", "Names", "Pool", "Replication", "Storage", "TestSupport", "Transport", "Wire"],
            path: "Tests/HostFleet",
            swiftSettings: strict),
        .target(
            name: "StandInService", dependencies: ["JSON", "MessageLayout", "Names", "Rows", "Transport", "Wire"],
            path: "Tests/StandIn",
            swiftSettings: strict),
        tests("JSONTests", ["JSON"]),
        tests("BytesTests", ["Bytes"]),
        tests("TypographyTests", ["Bytes", "Typography"], fixtures: ["Fixtures"]),
        tests("ShapingTests", ["FormeLayout", "forme", "JSON", "Shaping", "Typography"]),
        tests("MessageLayoutTests", ["Bytes", "JSON", "MessageLayout", "Typography"], fixtures: ["Fixtures"]),
        tests("RowsTests", ["JSON", "MessageLayout", "Rows", "Typography"]),
        tests(
            "RecordTests", ["Bytes", "MessageLayout", "Names", "Record", "Rows", "Typography"],
            fixtures: ["Fixtures", "decode_block.py", "decode_record.py", "stored_numbers.py"]),
        tests(
            "WireTests", ["Bytes", "JSON", "MessageLayout", "Names", "Record", "Rows", "Typography", "Wire"]),
        tests(
            "ConversationTests",
            ["Conversation", "JSON", "MessageLayout", "Names", "Record", "Rows", "Typography", "Wire"]),
        tests("PoolTests", ["JSON", "MessageLayout", "Names", "Pool", "Typography", "Wire"]),
        tests("ReplicationTests", ["Bytes", "Names", "Pool", "Replication", "Secrets", "Wire"]),
        tests("SimulationTests", ["Names", "Pool", "Replication", "Simulation", "Wire"]),
        // A disk that forgets, and a process to stop and kill.
        .target(name: "CPowerLoss", path: "Tests/PowerLoss", linkerSettings: [.linkedLibrary("sqlite3")]),
        .executableTarget(
            name: "storage-probe", dependencies: ["Names", "Pool", "Storage", "TestSupport", "Wire"],
            path: "Tests/StorageProbe",
            swiftSettings: strict),
        // Legal words of extreme values, for a whole gateway and a whole coordinator: deploy/extremes.
        .executableTarget(
            name: "extremes",
            dependencies: [
                "Conversation", "Daemons", "Gateway", "HTTP", "JSON", "MessageLayout", "Names", "Operations", "Pool",
                "Record", "Rows", "Secrets", "Storage", "TestSupport", "Transport", "Typography", "Wire",
            ], path: "Tests/Extremes", swiftSettings: strict),
        tests(
            "StorageTests",
            [
                "JSON", "MessageLayout", "Names", "Pool", "Record", "Replication", "Rows", "Storage", "Typography",
                "Wire",
                "storage-probe",
                "CPowerLoss",
            ]),
        tests("WebfontsTests", ["CWOFF2", "FormeLayout", "Shaping", "Typography", "Webfonts", "forme"]),
        tests("TransportTests", ["Transport"]),
        tests("SecretsTests", ["Secrets"]),
        tests("HTTPTests", ["HTTP"]),
        tests(
            "GatewayTests",
            [
                "Bytes", "Conversation", "FormeClient", "FormeLayout", "Gateway", "HTTP", "JSON", "MessageLayout",
                "Names", "Pool", "Record", "Rows", "Secrets", "Storage", "Transport", "Typography", "Wire",
            ]),
        tests(
            "FormeLayoutTests",
            ["FormeLayout", "JSON", "MessageLayout", "Names", "Record", "Rows", "Shaping", "Typography", "Wire"]),
        // Counts what a piece of code allocates.
        .target(name: "CAllocations", path: "Tests/Allocations"),
        tests(
            "FormeClientTests",
            [
                "Bytes", "Conversation", "FormeClient", "FormeLayout", "HTTP", "JSON", "MessageLayout", "Names",
                "Record", "Rows", "Transport", "Typography", "Wire", "CAllocations",
            ], fixtures: ["UIKit"]),
        tests("FormeClientZMQTests", ["FormeClientZMQ", "Names", "StandInService", "Transport", "Wire"]),
        tests("ChaosTests", ["Chaos", "Daemons"]),
        tests("FloodTests", ["Flood", "FormeLayout", "JSON", "MessageLayout", "StandInService", "Typography", "Wire"]),
        tests(
            "DaemonsTests",
            [
                "Daemons", "FormeLayout", "MessageLayout", "Names", "Operations", "Pool", "Record", "Replication",
                "Rows", "Secrets", "Shaping",
                "Storage",
                "Transport",
                "Wire",
            ]),
        tests(
            "DrawingTests",
            ["Drawing", "FormeLayout", "JSON", "MessageLayout", "Rows", "Shaping", "Typography", "Wire"]),
        tests("OperationsTests", ["Operations"]),
        tests("ConsoleTests", ["Console", "JSON", "Settings", "Transport"]),
        tests("SettingsTests", ["JSON", "Settings", "Transport", "Wire"]),
        tests("ArchitectureTests", []),
        tests(
            "SystemTests",
            [
                "Conversation", "FormeClient", "FormeClientZMQ", "JSON", "MessageLayout", "Names", "Operations", "Pool",
                "Record", "Rows", "Settings", "StandInService", "Storage", "Transport", "Typography", "Wire", "forme",
                "forme-bench",
            ]),
    ],
    swiftLanguageModes: [.v6]
)

// libFuzzer brings a main of its own, so its target is there only when deploy/fuzz asks for it.
if Context.environment["FORME_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "fuzz",
            dependencies: [
                "Bytes", "FormeLayout", "HTTP", "JSON", "MessageLayout", "Names", "Pool", "Record", "Replication",
                "Rows",
                "Secrets",
                "Settings",
                "Shaping",
                "Typography",
                "Wire",
            ],
            path: "Tests/Fuzz",
            exclude: ["corpus"],
            swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])],
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer", "-Xclang-linker", "-fuse-ld=lld"])]))
}
