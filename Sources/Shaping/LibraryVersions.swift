internal import CHarfBuzz
internal import CICU

/// The versions of the libraries that measures depend on, as they are loaded, not as they were at compile time.
package enum LibraryVersions {
    package static var harfBuzz: String { unsafe hb_version_string().map { unsafe String(cString: $0) } ?? "" }

    package static var icu: String {
        var text = [CChar](repeating: 0, count: 20)
        unsafe forme_icu_version(&text)
        return words(text)
    }

    /// The version of Unicode in ICU's data.
    package static var unicode: String {
        var text = [CChar](repeating: 0, count: 20)
        unsafe forme_icu_unicode_version(&text)
        return words(text)
    }

    private static func words(_ text: [CChar]) -> String {
        String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
