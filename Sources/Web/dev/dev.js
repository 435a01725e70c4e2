// A helper while pages or a style are written: it takes up saved pages, and shows mistakes with their file and line. A gateway that was started with
// --web or --watch sends it; rows in another style come by themselves.

const pause = 250;
const ours = /^.*\/web\//;

const sheet = new CSSStyleSheet();
sheet.replaceSync(`#dev-faults{position:fixed;inset:auto 0 0 0;z-index:1000;max-height:50vh;overflow:auto;margin:0;padding:12px 16px;background:#7a1420;color:#fff;
  font:13px/1.5 monospace;white-space:pre-wrap}#dev-faults:empty{display:none}`);
document.adoptedStyleSheets.push(sheet);
const shown = document.createElement("pre");
shown.id = "dev-faults";
shown.setAttribute("role", "alert");

/** The faults of each file, or of the page.
 * @type {Map<string, string[]>} */
const faults = new Map();

function show() {
  shown.textContent = [...faults.values()].flat().join("\n");
  document.documentElement.append(shown);
}

/** @param {string} file @param {string} text */
function tell(file, text) {
  faults.set(file, [...(faults.get(file) ?? []), text].slice(-20));
  show();
}

const isWritten = ours.test(location.href);
if (isWritten) watchPage();

/** Reports errors in a page that is worked on. */
function watchPage() {
  addEventListener("error", ({ filename, lineno, colno, message }) => tell("page", `${filename.replace(ours, "")}:${lineno}:${colno}: ${message}`));
  addEventListener("unhandledrejection", ({ reason }) => {
    const [, file, line] = /\/web\/([\w/.-]+):(\d+):\d+/.exec(reason?.stack ?? "") ?? [];
    tell("page", `${file ? `${file}:${line}: ` : ""}${reason?.message ?? reason}`);
  });
  addEventListener("securitypolicyviolation", ({ sourceFile, lineNumber, violatedDirective, blockedURI }) =>
    tell("page", `${(sourceFile ?? "").replace(ours, "")}:${lineNumber}: ${violatedDirective} forbids ${blockedURI}`));
}

/** The mistakes that a browser would pass over without a word, by lines.
 * @param {string} file @param {string} text */
function mistakes(file, text) {
  /** @type {string[]} */
  const found = [];
  let depth = 0;
  const blank = (/** @type {string} */ comment) => comment.replace(/[^\n]/g, " ");
  text.replace(/\/\*[^]*?\*\//g, blank).split("\n").forEach((line, place) => {
    // Declarations behind a brace or a semicolon, and those at the beginning of a line.
    for (const [, name, value] of line.matchAll(/(?:^|[{;])\s*([a-z-]+)\s*:\s*([^;{}]+?)\s*(?=[;}])/g)) {
      if (!name.startsWith("--") && !CSS.supports(name, value.replace(/\s*!important$/, ""))) found.push(`${file}:${place + 1}: ${name}: ${value} is not understood`);
    }
    depth += line.split("{").length - line.split("}").length;
    if (depth < 0) found.push(`${file}:${place + 1}: a brace closes nothing`);
  });
  if (depth > 0) found.push(`${file}: ${depth} braces are not closed`);
  return found;
}

/** @type {Map<string, CSSStyleSheet>} */
const sheets = new Map();

/** @param {string} file */
async function dress(file) {
  const link = /** @type {HTMLLinkElement | undefined} */ ([...document.querySelectorAll("link[rel=stylesheet]")].find((one) => one instanceof HTMLLinkElement && one.href.endsWith(`/web/${file}`)));
  if (!link) return;
  const text = await (await fetch(`/web/${file}`, { cache: "no-store" })).text();
  let own = sheets.get(file);
  if (!own) {
    sheets.set(file, (own = new CSSStyleSheet()));
    // In front of the sheet of the rows, where the linked file was: the rules of the page for rows are more specific.
    document.adoptedStyleSheets = [own, ...document.adoptedStyleSheets];
    link.disabled = true;
  }
  own.replaceSync(text);
  faults.set(file, mistakes(file, text));
  show();
}

/** @type {Record<string, number> | undefined} */
let before;

async function look() {
  const answer = await fetch("/web/changes", { cache: "no-store" });
  if (!answer.ok) return;
  /** @type {{files: Record<string, number>, style: string[]}} */
  const { files: now, style } = await answer.json();
  if (style.join("\n") !== (faults.get("style") ?? []).join("\n")) {
    faults.set("style", style);
    show();
  }
  const isFirst = !before;
  const changed = Object.keys({ ...now, ...before }).filter((file) => now[file] !== before?.[file]);
  before = now;
  const styles = changed.filter((file) => file.endsWith(".css"));
  if (isFirst) for (const file of styles) faults.set(file, mistakes(file, await (await fetch(`/web/${file}`)).text()));
  else if (changed.length > styles.length) return location.reload();
  else for (const file of styles) await dress(file);
  if (styles.length) show();
}

async function follow() {
  for (;;) {
    // This fails while the gateway starts again, or a file is half written.
    await look().catch(() => {});
    await new Promise((done) => setTimeout(done, pause));
  }
}
follow();
