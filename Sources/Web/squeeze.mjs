// Takes out of JavaScript what only people read: comments, and spaces at which nothing is told apart. Line breaks stay where they end a statement
// or an expression goes on, so that an error names a line of the source.

const regexpAfter = /(?:^|[=(,:;!&|?{}[+\-*%<>~^]|=>|\b(?:return|typeof|case|in|of|yield|await|throw|else))$/;

/** @typedef {{line: string, number: number}} Line */

/** Pieces of JavaScript: words, spaces, texts, regular expressions, comments and signs. @param {string} code */
function* pieces(code) {
  let place = 0;
  let before = "";
  /** Of templates, how many braces are open in their expressions. @type {number[]} */
  const templates = [];
  while (place < code.length) {
    const rest = code.slice(place);
    let kind = "sign";
    let text = rest[0];
    const template = () => {
      const end = /^(?:[^`\\$]|\\[^]|\$(?!\{))*(?:`|\$\{)/.exec(code.slice(place + 1));
      if (!end) throw new Error("a template without an end");
      if (end[0].endsWith("${")) templates.push(0);
      return code[place] + end[0];
    };
    const comment = /^(?:\/\/.*|\/\*[^]*?\*\/)/.exec(rest);
    const space = /^\s+/.exec(rest);
    const word = /^[\w$#\u0080-\uffff]+/.exec(rest);
    const string = /^(?:"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*')/.exec(rest);
    if (comment) [kind, text] = ["comment", comment[0]];
    else if (space) [kind, text] = ["space", space[0]];
    else if (string) [kind, text] = ["text", string[0]];
    else if (word) [kind, text] = ["word", word[0]];
    else if (rest[0] === "`") [kind, text] = ["text", template()];
    else if (rest[0] === "}" && templates.at(-1) === 0) {
      templates.pop();
      [kind, text] = ["text", template()];
    } else if (rest[0] === "/" && regexpAfter.test(before)) {
      const end = /^\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/\w*/.exec(rest);
      if (!end) throw new Error(`a regular expression without an end: ${rest.slice(0, 40)}`);
      [kind, text] = ["text", end[0]];
    } else if (templates.length) {
      if (text === "{") templates[templates.length - 1] += 1;
      if (text === "}") templates[templates.length - 1] -= 1;
    }
    yield { kind, text };
    place += text.length;
    if (kind === "word") before = text;
    else if (kind === "text") before = "x";
    else if (kind === "sign") before = text;
  }
}

/** The same code in fewer bytes. @param {Line[]} lines @returns {Line[]} */
export function squeeze(lines) {
  /** @type {Line[]} */
  const out = [];
  const numbers = lines.map(({ number }) => number);
  let row = 0;
  let line = "";
  let start = 0;
  let last = { kind: "sign", text: ";" };
  let isSpaced = false;
  let isBroken = false;
  const flush = () => {
    if (line) out.push({ line, number: numbers[Math.min(start, numbers.length - 1)] });
    line = "";
  };
  for (const { kind, text } of pieces(lines.map(({ line: own }) => own).join("\n"))) {
    const breaks = text.split("\n").length - 1;
    if (kind === "space" || kind === "comment") {
      isSpaced = true;
      isBroken ||= breaks > 0;
      row += breaks;
      continue;
    }
    // A new line may end a statement without a semicolon; and lines are cut now and then, for people who look.
    const sticks = /[\w$#\u0080-\uffff]/;
    const isBetween = sticks.test(last.text.at(-1) ?? "") && sticks.test(text[0]);
    const isSign = /[+\-/]/.test(last.text.at(-1) ?? "") && last.text.at(-1) === text[0];
    if (isBroken && line && (/[}\])\w"'`]$/.test(last.text) && !/^[)\]},.?:;&|=*<>]/.test(text) || line.length > 400 && /[;{,]$/.test(last.text))) flush();
    else if (isSpaced && line && (isBetween || isSign)) line += " ";
    if (!line) start = row;
    if (text === "}" && line.endsWith(";")) line = line.slice(0, -1);
    line += text;
    row += breaks;
    [last, isSpaced, isBroken] = [{ kind, text }, false, false];
  }
  flush();
  return out;
}
