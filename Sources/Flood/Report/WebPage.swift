import Foundation

/// A report as a page of HTML that needs nothing beside it.
struct WebPage {
    var title: String
    var sections: [String] = []

    static func escaped(_ words: String) -> String {
        words.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }

    /// - Parameter rows: the first one is the heading; the first column stands to the left.
    static func table(_ rows: [[String]]) -> String {
        let lines = rows.enumerated().map { place, row in
            let cell = place == 0 ? "th" : "td"
            return "<tr>" + row.map { "<\(cell)>\(escaped($0))</\(cell)>" }.joined() + "</tr>"
        }
        return "<table>\n\(lines.joined(separator: "\n"))\n</table>\n"
    }

    var html: String {
        """
        <!doctype html>
        <html lang="en">
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>\(Self.escaped(title))</title>
        <style>
        \(Self.style)
        </style>
        <main>
        \(sections.joined())</main>
        </html>

        """
    }

    private static let style = """
        :root { color-scheme: light dark; --text: #1c2330; --soft: #667085; --paper: #fff; --card: #f7f8fa;
          --rule: #dfe3ea; --good: #16794a; --bad: #b42318;
          --line0: #2563eb; --line1: #0d9488; --line2: #d97706; --line3: #c026d3; --line4: #64748b; --line5: #dc2626; }
        @media (prefers-color-scheme: dark) {
          :root { --text: #e6e9ef; --soft: #98a2b3; --paper: #12151b; --card: #1a1e26; --rule: #2c323d;
            --good: #4ade80; --bad: #f87171;
            --line0: #60a5fa; --line1: #2dd4bf; --line2: #fbbf24; --line3: #e879f9; --line4: #94a3b8; --line5: #f87171; }
        }
        body { margin: 0; background: var(--paper); color: var(--text); font: 15px/1.5 system-ui, "Noto Sans", sans-serif; }
        main { max-width: 1560px; margin: 0 auto; padding: 24px 20px 64px; }
        h1 { font-size: 24px; margin: 0; } h2 { font-size: 17px; margin: 28px 0 8px; }
        p { margin: 4px 0; color: var(--soft); }
        .verdict { display: inline-block; padding: 2px 12px; border-radius: 99px; font-weight: 600; font-size: 14px;
          border: 1px solid currentColor; margin: 10px 0; }
        .good { color: var(--good); } .bad { color: var(--bad); }
        .tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(170px, 1fr)); gap: 12px; margin-top: 14px; }
        .tile { background: var(--card); border: 1px solid var(--rule); border-radius: 12px; padding: 10px 14px; }
        .tile b { display: block; font-size: 22px; font-variant-numeric: tabular-nums; }
        .tile span { color: var(--soft); font-size: 13px; }
        .charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(560px, 100%), 1fr)); gap: 16px; }
        figure { margin: 0; background: var(--card); border: 1px solid var(--rule); border-radius: 12px; padding: 12px 14px; }
        figcaption { display: flex; flex-wrap: wrap; gap: 2px 14px; align-items: baseline; margin-bottom: 6px; }
        figcaption small { color: var(--soft); margin-right: auto; }
        svg { display: block; width: 100%; height: auto; overflow: visible; }
        .grid { stroke: var(--rule); } path.line { fill: none; stroke-width: 2; stroke-linejoin: round; }
        path.area { stroke: none; opacity: .13; }
        svg text { fill: var(--soft); font-size: 12px; font-variant-numeric: tabular-nums; }
        .left { text-anchor: end; dominant-baseline: middle; } .below { text-anchor: middle; }
        .key { font-size: 13px; } .key::before { content: ""; display: inline-block; width: 14px; height: 3px;
          border-radius: 2px; background: var(--c); margin-right: 6px; vertical-align: middle; }
        .line0 { --c: var(--line0); } .line1 { --c: var(--line1); } .line2 { --c: var(--line2); }
        .line3 { --c: var(--line3); } .line4 { --c: var(--line4); } .line5 { --c: var(--line5); }
        path.line { stroke: var(--c); } path.area { fill: var(--c); }
        .tables { display: flex; flex-wrap: wrap; gap: 8px 48px; }
        table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
        th { color: var(--soft); font-weight: 500; font-size: 13px; }
        th, td { text-align: right; padding: 4px 14px 4px 0; border-bottom: 1px solid var(--rule); }
        th:first-child, td:first-child { text-align: left; }
        pre { background: var(--card); border: 1px solid var(--rule); border-radius: 8px; padding: 10px; overflow: auto; }
        """
}
