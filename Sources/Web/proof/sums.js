// What was found, by script.

const scripts = ["Latin", "Cyrillic", "Greek", "Arabic", "Hebrew", "Devanagari", "Bengali", "Tamil", "Thai", "Khmer", "Myanmar", "Han", "Hiragana", "Katakana", "Hangul"];
const patterns = scripts.map((name) => ({ name, pattern: new RegExp(`\\p{Script=${name}}`, "gu") }));

/** The script that most letters of a text are of.
 * @param {string} words */
export function scriptOf(words) {
  const counts = patterns.map(({ name, pattern }) => ({ name, count: words.match(pattern)?.length ?? 0 }));
  const best = counts.reduce((a, b) => (b.count > a.count ? b : a));
  return best.count ? { Hiragana: "Japanese", Katakana: "Japanese", Han: "Chinese", Hangul: "Korean" }[best.name] ?? best.name : "Others";
}

/** @param {HTMLTableSectionElement} body @param {{script: string, lines: number, breaks: number, worst: number}[]} found */
export function tell(body, found) {
  const line = (/** @type {string} */ name, /** @type {typeof found} */ own) => {
    const row = document.createElement("tr");
    const [lines, breaks] = [own.reduce((sum, one) => sum + one.lines, 0), own.reduce((sum, one) => sum + one.breaks, 0)];
    const worst = own.reduce((most, one) => Math.max(most, one.worst), 0);
    for (const words of [name, `${own.length}`, `${lines}`, `${breaks}`, `${worst.toFixed(2)} px`]) {
      const cell = document.createElement("td");
      cell.textContent = words;
      row.append(cell);
    }
    return row;
  };
  const names = [...new Set(found.map(({ script }) => script))].sort();
  const all = line("All", found);
  all.className = "all";
  body.replaceChildren(...names.map((name) => line(name, found.filter(({ script }) => script === name))), all);
}
