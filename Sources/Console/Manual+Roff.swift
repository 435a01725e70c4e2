// Man pages, one for a program and one for each of its commands.
extension Manual {
    package func page(of program: String, version: String, exits: String) -> String {
        let title = "\(program)-\(name)"
        var lines = Roff.head(title, version, program)
        lines += [".SH NAME", "\(Roff.escaped(title)) \\- \(Roff.escaped(summary))", ".SH SYNOPSIS", ".nf"]
        lines += synopses.map { "\\fB\(Roff.escaped($0))\\fR" }
        lines.append(".fi")
        if !entries.isEmpty {
            lines.append(".SH OPTIONS")
            for entry in entries {
                lines += [".TP", "\\fB\(Roff.escaped(entry.terms))\\fR", Roff.line(entry.text)]
            }
        }
        if !paragraphs.isEmpty {
            lines.append(".SH DESCRIPTION")
            for (place, paragraph) in paragraphs.enumerated() {
                if place > 0 { lines.append(".PP") }
                if paragraph.isExample {
                    lines += [".nf", ".RS 4"]
                    lines += paragraph.text.split(separator: "\n").map { Roff.line(String($0)) }
                    lines += [".RE", ".fi"]
                } else {
                    lines.append(Roff.line(paragraph.text))
                }
            }
        }
        lines += [".SH EXIT STATUS", Roff.line(exits), ".SH SEE ALSO", "\\fB\(Roff.escaped(program))\\fR(1)"]
        return lines.joined(separator: "\n") + "\n"
    }

    static func page(
        of program: String, summary: String, version: String, exits: String, _ manuals: [Manual]
    ) -> String {
        var lines = Roff.head(program, version, program)
        lines += [".SH NAME", "\(Roff.escaped(program)) \\- \(Roff.escaped(summary))"]
        lines += [".SH SYNOPSIS", "\\fB\(Roff.escaped(program))\\fR \\fICOMMAND\\fR [\\fIOPTIONS\\fR]", ".SH COMMANDS"]
        for manual in manuals {
            lines += [".TP", "\\fB\(Roff.escaped("\(program)-\(manual.name)"))\\fR(1)", Roff.line(manual.summary)]
        }
        lines += [".SH EXIT STATUS", Roff.line(exits)]
        return lines.joined(separator: "\n") + "\n"
    }
}

/// The language of man pages.
private enum Roff {
    static func head(_ title: String, _ version: String, _ program: String) -> [String] {
        [".TH \"\(title.uppercased())\" \"1\" \"\" \"\(program) \(version)\" \"\""]
    }

    static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("'", with: "\\(aq")
    }

    /// A line of text, which is no request whatever it begins with.
    static func line(_ text: String) -> String {
        let text = escaped(text)
        return text.hasPrefix(".") ? "\\&\(text)" : text
    }
}
