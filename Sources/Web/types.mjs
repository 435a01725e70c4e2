// Makes forme.d.ts of what the modules say of their types: tsc (Debian's node-typescript) reads them. With --check nothing is written, and what is
// stale is told.
//
// usage: node Sources/Web/types.mjs [--check]
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const target = join(here, "forme.d.ts");
const head = `// The types of forme.js, one module for each of its files: made by node Sources/Web/types.mjs. A test says when it is stale.

declare module "*/v1/forme.js" {
    export * from "forme";
}
declare module "*/v1/forme-rows.js" {
    export * from "forme-rows";
}
`;

/** As others name it: files of ours are no files of theirs. @param {string} file */
const named = (file) => (file.startsWith("forme") ? file : `forme/${file}`);

const folder = mkdtempSync(join(tmpdir(), "forme-types-"));
try {
  const out = join(folder, "forme.d.ts");
  const words = ["--declaration", "--emitDeclarationOnly", "--allowJs", "--target", "es2022", "--module", "amd", "--moduleResolution", "node", "--lib", "es2022,dom,dom.iterable", "--outFile", out];
  execFileSync("tsc", [...words, "lib.d.ts", "forme/forme.js", "forme/forme-rows.js"], { cwd: here, stdio: "inherit" });
  const text = head + readFileSync(out, "utf8").replace(/(declare module |from |import\()"(?:\.\/)?([\w-]+)(?:\.js)?"/g, (_, before, file) => `${before}"${named(file)}"`);
  if (!process.argv.includes("--check")) writeFileSync(target, text);
  else if (!existsSync(target) || readFileSync(target, "utf8") !== text) {
    console.error("Sources/Web/forme.d.ts is not what the modules say; run node Sources/Web/types.mjs");
    process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true });
}
