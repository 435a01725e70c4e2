package import JSON

/// The words of a style in another language, or for another clock. The style is like its `base` in all else.
package struct StyleWording: Sendable {
    let name: String
    let strings: [String: String]

    /// - Parameter known: the words that its base has. Others are refused, as they would be shown nowhere.
    package init(_ reader: JSONReader, instead known: [String]) throws(JSONError) {
        let fields = try reader.object(knownKeys: ["base", "name", "strings"])
        name = try fields.required("name").string()
        var strings: [String: String] = [:]
        for (key, reader) in try fields.required("strings").object(knownKeys: known).all {
            strings[key] = try reader.string()
        }
        self.strings = strings
    }
}
