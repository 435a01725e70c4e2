import JSON

/// A change of one setting.
package struct ConfigurationChange: Equatable, Sendable {
    /// The path of the setting, such as `limits.eventsInFlight`.
    package var setting: String
    /// The values as JSON; nil where there was or is none.
    package var before: String?
    package var after: String?
    package var effect: Effect

    /// The time when it takes effect.
    package enum Effect: String, Sendable {
        case now = ""
        case atStart = ", at the next start"
        /// A folder that is there stays as it was made.
        case inNewFolders = ", for a folder that is made anew"
        case inNewEditions = ", for editions that are made from now on"
    }
}

extension ConfigurationChange: CustomStringConvertible {
    package var description: String {
        "\(setting): \(before ?? "not set") → \(after ?? "not set")" + effect.rawValue
    }
}

extension Configuration {
    /// The settings that a running service takes up when it reads its configuration again. All others count at the
    /// start.
    private static let immediate = ["targets", "limits", "retention", "log"]

    private static func effect(of path: String) -> ConfigurationChange.Effect {
        if path == "shards" { return .inNewFolders }
        if path == "files" { return .inNewEditions }
        return immediate.contains { path == $0 || path.hasPrefix($0 + ".") } ? .now : .atStart
    }

    /// The settings that differ in another configuration, in the order of the file. Settings within an object are
    /// listed one by one.
    package func changes(to other: Configuration) -> [ConfigurationChange] {
        let (before, after) = (json.leaves(under: ""), other.json.leaves(under: ""))
        let settings = before.map(\.path) + after.map(\.path).filter { path in !before.contains { $0.path == path } }
        return settings.compactMap { path in
            let values = [before, after].map { $0.first { $0.path == path }?.value }
            guard values[0] != values[1] else { return nil }
            return ConfigurationChange(
                setting: path, before: values[0], after: values[1],
                effect: Self.effect(of: path))
        }
    }
}

extension JSONValue {
    fileprivate func leaves(under path: String) -> [(path: String, value: String)] {
        guard let object else { return [(path, indented())] }
        return object.members.flatMap { $0.value.leaves(under: path.isEmpty ? $0.key : "\(path).\($0.key)") }
    }
}
