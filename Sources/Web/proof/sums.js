// The findings, by script and by kind.

const scripts = ["Latin", "Cyrillic", "Greek", "Arabic", "Hebrew", "Devanagari", "Bengali", "Tamil", "Thai", "Khmer", "Myanmar", "Han", "Hiragana", "Katakana", "Hangul"];
const patterns = scripts.map((name) => ({ name, pattern: new RegExp(`\\p{Script=${name}}`, "gu") }));

/** The script that most letters of a text are of.
 * @param {string} words */
export function scriptOf(words) {
  const counts = patterns.map(({ name, pattern }) => ({ name, count: words.match(pattern)?.length ?? 0 }));
  const best = counts.reduce((a, b) => (b.count > a.count ? b : a));
  return best.count ? { Hiragana: "Japanese", Katakana: "Japanese", Han: "Chinese", Hangul: "Korean" }[best.name] ?? best.name : "Others";
}

/** @typedef {{script: string, kind: string, lines: number, breaks: number, worst: number, side: number, high: number}} Found */

/** @param {HTMLTableSectionElement} body @param {Found[]} found */
export function tell(body, found) {
  const line = (/** @type {string} */ name, /** @type {typeof found} */ own) => {
    const row = document.createElement("tr");
    const [lines, breaks] = [own.reduce((sum, one) => sum + one.lines, 0), own.reduce((sum, one) => sum + one.breaks, 0)];
    const most = (/** @type {"worst" | "side" | "high"} */ what) => own.reduce((sum, one) => Math.max(sum, one[what]), 0).toFixed(2);
    for (const words of [name, `${own.length}`, `${lines}`, `${breaks}`, `${most("worst")} px`, `${most("side")} px`, `${most("high")} px`]) {
      const cell = document.createElement("td");
      cell.textContent = words;
      row.append(cell);
    }
    return row;
  };
  /** @param {"script" | "kind"} what */
  const by = (what) => [...new Set(found.map((one) => one[what]))].sort().map((name) => {
    const row = line(name, found.filter((one) => one[what] === name));
    row.className = what;
    return row;
  });
  const all = line("All", found);
  all.className = "all";
  body.replaceChildren(...by("script"), ...by("kind"), all);
}
