import JSON

/// Words that would be something else where nobody escapes them.
enum Hostile {
    static let words = [
        "<script>alert(1)</script>", "</text></svg><img src=x onerror=alert(1)>", "\" onload=\"alert(1)",
        "' onclick='alert(1)",
        "]]><iframe src=javascript:alert(1)>", "</style><style>*{display:none}", "javascript:alert(1)",
        "&lt;b&gt; &#60;i>",
        "url(https://example.com/x.png)", "<!-- ", "-->", "<?xml ", "{{7*7}}", "${alert(1)}", "`alert(1)`",
        "\u{202e}gnp.exe",
        "\u{0}\u{1}\u{8}\u{b}\u{fffe}", "<svg/onload=alert(1)>", "<a href=//example.com>x</a>",
        "</title><script>alert(1)</script>",
    ]
}

extension JSONValue {
    /// The same message, each of its texts another one; its kind stays.
    func hostile(_ word: () -> String) -> JSONValue {
        switch self {
        case .string: .string(word())
        case .array(let elements): .array(elements.map { $0.hostile(word) })
        case .object(let object):
            .object(
                JSONObject(
                    object.members.map {
                        JSONObject.Member($0.key, $0.key == "kind" ? $0.value : $0.value.hostile(word))
                    }))
        case .null, .bool, .number: self
        }
    }
}
