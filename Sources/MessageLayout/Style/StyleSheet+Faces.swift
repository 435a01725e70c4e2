package import Typography

extension StyleSheet {
    /// A face that texts of the style are measured in, and the first of them that asks for it.
    package struct AskedFace: Hashable, Sendable {
        /// The text's name in the style's file: `code`.
        package var text: String
        package var face: TextStyle
    }

    /// Every face that texts ask for, once: those of the texts themselves, then those of the looks that Markdown
    /// gives to a stretch. A stretch with several looks may have a face that is not here.
    package var askedFaces: [AskedFace] {
        let roles = tables.roles.sorted { $0.key < $1.key }.map { AskedFace(text: $0.key, face: $0.value.style) }
        let inMarkdown = Set(templates.values.flatMap(\.markdownRoles).map { tables.roleList[Int($0)].style })
        let looks = roles.filter { inMarkdown.contains($0.face) }.flatMap { role in
            [Look.bold, .italic, .monospaced].map { AskedFace(text: role.text, face: role.face.with($0)) }
        }
        var known: Set<TextStyle> = []
        return (roles + looks).filter { known.insert($0.face).inserted }
    }
}

extension Template {
    /// Roles of the texts that show blocks of Markdown, except those of code, which has no looks.
    fileprivate var markdownRoles: [Int32] {
        parts.indices.flatMap { place -> [Int32] in
            guard case .markdown = parts[place].content else { return [] }
            return parts.children(of: place).dropLast().flatMap { child in
                parts[child..<Int(parts[child].shape.end)].compactMap { part in
                    if case .text = part.content { part.shape.number } else { nil }
                }
            }
        }
    }
}
