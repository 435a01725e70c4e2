// Makes the files that a gateway sends to browsers from the modules in this folder, and writes them into the program's sources: esbuild (Debian's) makes
// one module of each part, minified, with a source map; each file is named by a hash of its bytes. With --check nothing is written, and a stale result is
// reported; with --to it is written elsewhere.
//
// usage: node Sources/Web/embed.mjs [--check] [--to FILE]
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const here = dirname(fileURLToPath(import.meta.url));
const to = process.argv.indexOf("--to");
const target = to > 0 ? process.argv[to + 1] : join(here, "../Gateway/Pages/EmbeddedFiles.swift");
/** The most bytes of each part of forme.js, compressed as it is sent. */
const most = 14 * 1024;
const parts = ["forme.js", "forme-rows.js"];

/** @param {string} path */
const read = (path) => readFileSync(join(here, path), "utf8");

/** @param {string} text */
const hash = (text) => createHash("sha256").update(text).digest("hex").slice(0, 16);

/** Makes one module of all that an entry needs, except for the parts that are sent by themselves. @param {string} entry @param {string} file @param {string[]} [apart] */
function bundle(entry, file, apart = []) {
  const folder = mkdtempSync(join(tmpdir(), "forme-embed-"));
  try {
    const out = join(folder, file);
    const words = ["--bundle", "--minify", "--format=esm", "--target=es2022", "--sourcemap=external", "--log-level=warning", ...apart.map((path) => `--external:${path}`)];
    execFileSync("esbuild", [join(here, entry), `--outfile=${out}`, ...words], { stdio: ["ignore", "inherit", "inherit"] });
    const map = JSON.parse(readFileSync(`${out}.map`, "utf8"));
    map.sources = map.sources.map((/** @type {string} */ path) => relative(here, resolve(folder, path)));
    return { text: readFileSync(out, "utf8").trim(), map: JSON.stringify(map) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Every file that is sent: its name, the path under which it is kept for ever, and its text. */
function files() {
  /** @type {{name: string, path: string, text: string}[]} */
  const found = [];
  const add = (/** @type {string} */ folder, /** @type {string} */ file, /** @type {string} */ text, /** @type {string} */ map = "") => {
    const key = hash(text);
    const path = `${folder}/${key}.${file.split(".").pop()}`;
    found.push({ name: file, path, text: map ? `${text}\n//# sourceMappingURL=${key}.js.map\n` : text });
    if (map) found.push({ name: `${file}.map`, path: `${folder}/${key}.js.map`, text: map });
    return path;
  };
  /** The path of each part, by its name in the pages. @type {Map<string, string>} */
  const scripts = new Map();
  for (const file of parts) {
    const { text, map } = bundle(`forme/${file}`, file);
    scripts.set(`../forme/${file}`, add("/v1/forme", file, text, map));
  }
  const elsewhere = (/** @type {string} */ text) => text.replace(/"(\.\.\/forme\/[\w-]+\.js)"/g, (whole, path) => (scripts.has(path) ? `"${scripts.get(path)}"` : whole));
  for (const page of ["demo", "proof"]) {
    const own = bundle(`${page}/${page}.js`, `${page}.js`, [...scripts.keys()]);
    const code = add("/pages", `${page}.js`, elsewhere(own.text), own.map);
    const sheet = add("/pages", `${page}.css`, read(`${page}/${page}.css`).replace(/\/\*[^]*?\*\/\n?/g, ""));
    const html = read(`${page}/${page}.html`).replace(/<!--[^]*?-->\n?/g, "");
    add("/pages", `${page}.html`, elsewhere(html).replace(`"${page}.js"`, `"${code}"`).replace(`"${page}.css"`, `"${sheet}"`));
  }
  // The helper for people who work on pages or a style. It has no map, as it reports on other files.
  add("/pages", "dev.js", bundle("dev/dev.js", "dev.js").text);
  return found;
}

/** A Swift source with every file in Base64, so that no tool for sources takes their bytes for Swift.
 * @param {{name: string, path: string, text: string}[]} all */
function swift(all) {
  const list = all.map(({ name: own, path, text }) => {
    const base64 = Buffer.from(text).toString("base64").replace(/.{1,4000}/g, (line) => `        ${line}\n`);
    return `    EmbeddedFile("${own}", at: "${path}", """\n${base64}        """),\n`;
  });
  return `// swift-format-ignore-file
// The files of Sources/Web, as they are sent to browsers: made by node Sources/Web/embed.mjs. A test says when it is stale.

let embeddedFiles: [EmbeddedFile] = [
${list.join("")}]
`;
}

const all = files();
const text = swift(all);
const sizes = all.filter(({ name }) => parts.includes(name)).map(({ name, text: sent }) => ({ name, size: gzipSync(sent, { level: 9 }).length }));
for (const { name, size } of sizes) console.log(`${name}: ${size} bytes compressed, of ${most}`);
if (process.argv.includes("--check")) {
  if (!existsSync(target) || readFileSync(target, "utf8") !== text) {
    console.error("Sources/Gateway/Pages/EmbeddedFiles.swift is not what Sources/Web holds; run node Sources/Web/embed.mjs");
    process.exit(1);
  }
} else writeFileSync(target, text);
if (sizes.some(({ size }) => size > most)) {
  console.error("a part of forme.js is too large");
  process.exit(1);
}
