// swift-tools-version: 6.2
import PackageDescription

/// The house, from the ground up. `ArchitectureTests` holds every `import` to the same table.
let strict: [SwiftSetting] = [
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

func module(_ name: String, _ dependencies: [String] = []) -> Target {
    .target(name: name, dependencies: dependencies.map { .byName(name: $0) }, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [String]) -> Target {
    .testTarget(name: name, dependencies: dependencies.map { .byName(name: $0) }, swiftSettings: strict)
}

/// A C library of Debian's, with the few wrappers that Swift cannot do without.
func library(_ name: String, _ linked: String) -> Target {
    .systemLibrary(name: name, path: "Sources/C/\(name)", pkgConfig: linked)
}

let package = Package(
    name: "forme",
    products: [.executable(name: "forme", targets: ["forme"])],
    targets: [
        // Core: pure values and decisions. No C, no Foundation, no clock, no files.
        module("JSON"),
        module("Typography"),

        // Edges: each the only door to its C library.
        library("CHarfBuzz", "harfbuzz"),
        .target(
            name: "CICU", path: "Sources/C/CICU", linkerSettings: [.linkedLibrary("icuuc")]),
        module("Shaping", ["Typography", "CHarfBuzz", "CICU"]),

        // The one binary.
        .executableTarget(name: "forme", dependencies: ["JSON", "Shaping", "Typography"], swiftSettings: strict),

        tests("JSONTests", ["JSON"]),
        tests("TypographyTests", ["Typography"]),
        tests("ShapingTests", ["Shaping", "Typography"]),
    ],
    swiftLanguageModes: [.v6]
)
