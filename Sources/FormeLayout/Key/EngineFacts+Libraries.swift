import Shaping
package import Wire

extension EngineFacts {
    /// The facts about this process that are known before it has laid anything out.
    package static var ofLibraries: EngineFacts {
        EngineFacts([
            Fact("engine rules", String(EngineRules.current)), Fact("HarfBuzz", LibraryVersions.harfBuzz),
            Fact("ICU", LibraryVersions.icu), Fact("Unicode data", LibraryVersions.unicode),
            Fact("architecture", architecture),
        ])
    }

    private static var architecture: String {
        #if arch(x86_64)
            "x86_64"
        #elseif arch(arm64)
            "arm64"
        #elseif arch(riscv64)
            "riscv64"
        #else
            "other"
        #endif
    }
}
