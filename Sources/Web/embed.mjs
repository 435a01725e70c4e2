// Makes of the modules in this folder what a gateway sends to browsers, and writes it into the program's sources: each part is one module
// without comments, with a source map, named by a hash of its bytes. With --check nothing is written, and what is stale is told;
// with --to it is written elsewhere.
//
// usage: node Sources/Web/embed.mjs [--check] [--to FILE]
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync, existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { squeeze } from "./squeeze.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const to = process.argv.indexOf("--to");
const target = to > 0 ? process.argv[to + 1] : join(here, "../Gateway/Pages/EmbeddedFiles.swift");
/** Bytes of each part of forme.js as it is sent, compressed. */
const most = 14 * 1024;

/** @param {string} path */
const read = (path) => readFileSync(join(here, path), "utf8");

/** @param {string} text */
const hash = (text) => createHash("sha256").update(text).digest("hex").slice(0, 16);

/** Modules that one needs, each once and behind those that it needs itself. @param {string} path @param {string[]} [found] @param {string[]} [above] */
function modules(path, found = [], above = []) {
  if (above.includes(path)) throw new Error(`a circle of imports: ${[...above, path].join(" > ")}`);
  for (const [, other] of read(path).matchAll(/^(?:import|export) [^;]*? from "(\.[^"]+)";/gm)) {
    const next = join(dirname(path), other);
    if (!found.includes(next)) modules(next, found, [...above, path]);
  }
  return found.includes(path) ? found : (found.push(path), found);
}

/** A module as a function that gives what it exports: names of one are none of another's. @param {string} path @param {string[]} inside */
function wrapped(path, inside) {
  const exported = [];
  /** What it takes from modules that are sent by themselves. @type {{names: string[], from: string}[]} */
  const foreign = [];
  const lines = read(path).split("\n").map((line, number) => ({ line, number }));
  const body = [];
  for (let i = 0; i < lines.length; i++) {
    let { line } = lines[i];
    while (/^(import|export) [{*]/.test(line) && !line.includes(";")) line += ` ${lines[++i].line.trim()}`;
    const taken = /^import \{([^}]*)\} from "([^"]+)";/.exec(line);
    const given = /^export \{([^}]*)\} from "([^"]+)";/.exec(line);
    const other = (taken ?? given) && name(join(dirname(path), (taken ?? given)[2]));
    if (taken) {
      const names = taken[1].replace(/ as /g, ": ");
      if (!inside.includes(join(dirname(path), taken[2]))) {
        foreign.push({ names: taken[1].split(",").map((word) => word.trim()), from: taken[2] });
        continue;
      }
      line = `const {${names}} = ${other};`;
    } else if (given) {
      exported.push(...given[1].split(",").map((word) => `${word.trim()}: ${other}.${word.trim()}`));
      continue;
    } else {
      const own = /^export (?:default )?(?:async )?(?:function\*?|class|const|let) (\w+)/.exec(line);
      if (own) [line] = [line.replace(/^export /, ""), exported.push(own[1])];
    }
    body.push({ line, number: lines[i].number });
  }
  return { path, body, exported, foreign };
}

/** @param {string} path */
const name = (path) => `$${path.replace(/.*\//, "").replace(/\.js$/, "").replace(/\W/g, "_")}`;

/** One module of all that an entry needs. @param {string} entry @param {string} file @param {(text: string) => string} rewrite */
function bundle(entry, file, rewrite = (text) => text) {
  const paths = modules(entry).filter((path) => dirname(path) === dirname(entry));
  /** @type {{text: string, source: number, line: number}[]} */
  const out = [];
  /** @type {Map<string, Set<string>>} */
  const outside = new Map();
  paths.forEach((path, source) => {
    const { body, exported, foreign } = wrapped(path, paths);
    for (const { names, from } of foreign) for (const own of names) outside.set(from, (outside.get(from) ?? new Set()).add(own));
    const isLast = path === entry;
    out.push({ text: isLast ? "" : `const ${name(path)}=(()=>{`, source, line: 0 });
    for (const { line, number } of squeeze(body)) out.push({ text: line, source, line: number });
    if (isLast && exported.length) {
      const own = exported.map((word) => word.split(":").map((part) => part.trim()));
      const aliases = own.filter(([, from]) => from).map(([word, from]) => `${word}=${from}`);
      out.push({ text: `${aliases.length ? `const ${aliases};` : ""}export{${own.map(([word]) => word)}};`, source, line: 0 });
    } else if (!isLast) out.push({ text: `return{${exported}}})();`, source, line: 0 });
  });
  const imports = [...outside].map(([from, names]) => rewrite(`import{${[...names]}}from"${from}";`));
  const lines = [...imports.map((text) => ({ text, source: 0, line: 0 })), ...out.filter(({ text }) => text)];
  const sources = paths.map((path) => relative(here, join(here, path)));
  const map = { version: 3, file, sources, sourcesContent: paths.map(read), names: [], mappings: mappings(lines) };
  return { text: lines.map(({ text }) => text).join("\n"), map: JSON.stringify(map) };
}

/** Of each line where it comes from: numbers of five bits, the lowest first, the sign in the lowest of all. */
function mappings(lines) {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const number = (value) => {
    let [left, text] = [value < 0 ? (-value << 1) | 1 : value << 1, ""];
    do {
      text += letters[(left & 31) | (left > 31 ? 32 : 0)];
      left >>>= 5;
    } while (left);
    return text;
  };
  let [source, line] = [0, 0];
  return lines.map((one) => {
    const text = number(0) + number(one.source - source) + number(one.line - line) + number(0);
    [source, line] = [one.source, one.line];
    return text;
  }).join(";");
}

/** Everything that is sent: its name, the path under which it is kept for ever, its type and its text. */
function files() {
  const found = [];
  const add = (folder, file, text, map) => {
    const key = hash(text);
    const path = `${folder}/${key}.${file.split(".").pop()}`;
    const whole = map ? `${text}\n//# sourceMappingURL=${key}.js.map\n` : text;
    found.push({ name: file, path, text: whole });
    if (map) found.push({ name: `${file}.map`, path: `${folder}/${key}.js.map`, text: map });
    return path;
  };
  /** @type {Map<string, string>} */
  const scripts = new Map();
  for (const file of ["forme.js", "forme-rows.js"]) {
    const { text, map } = bundle(`forme/${file}`, file);
    scripts.set(file, add("/v1/forme", file, text, map));
  }
  const elsewhere = (line) => line.replace(/"\.\.\/forme\/([\w-]+\.js)"/, (_, file) => `"${scripts.get(file)}"`);
  for (const page of ["demo", "proof"]) {
    if (!existsSync(join(here, page, `${page}.html`))) continue;
    const own = bundle(`${page}/${page}.js`, `${page}.js`, elsewhere);
    const code = add("/pages", `${page}.js`, own.text, own.map);
    const sheet = add("/pages", `${page}.css`, read(`${page}/${page}.css`).replace(/\/\*[^]*?\*\/\n?/g, ""));
    const html = read(`${page}/${page}.html`).replace(/<!--[^]*?-->\n?/g, "").replace(`"${page}.js"`, `"${code}"`).replace(`"${page}.css"`, `"${sheet}"`)
      .replace(/"(forme[\w-]*\.js)"/g, (_, file) => `"${scripts.get(file)}"`);
    add("/pages", `${page}.html`, html);
  }
  return found;
}

/** Swift with every file in it, as Base64: no byte of them is read as Swift by anything that looks at sources. */
function swift(all) {
  const list = all.map(({ name: own, path, text }) => {
    const base64 = Buffer.from(text).toString("base64").replace(/.{1,4000}/g, (line) => `        ${line}\n`);
    return `    EmbeddedFile("${own}", at: "${path}", """\n${base64}        """),\n`;
  });
  return `// swift-format-ignore-file
// What Sources/Web holds, as it is sent to browsers: made by node Sources/Web/embed.mjs. A test says when it is stale.

let embeddedFiles: [EmbeddedFile] = [
${list.join("")}]
`;
}

const all = files();
const text = swift(all);
const parts = all.filter(({ path, name: own }) => path.startsWith("/v1/") && own.endsWith(".js"));
const sizes = parts.map(({ name: own, text: sent }) => ({ own, size: gzipSync(sent, { level: 9 }).length }));
for (const { own, size } of sizes) console.log(`${own}: ${size} bytes compressed, of ${most}`);
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
