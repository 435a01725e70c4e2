// Makes forme.d.ts from the types in the modules' comments: tsc (Debian's node-typescript) reads the modules and the pages, and reports errors in their
// types. With --check nothing is written, and a stale file is reported.
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

const folder = mkdtempSync(join(tmpdir(), "forme-types-"));
try {
  const out = join(folder, "forme.d.ts");
  const words = ["-p", here, "--noEmit", "false", "--declaration", "--emitDeclarationOnly", "--module", "amd", "--outFile", out];
  execFileSync("tsc", words, { cwd: here, stdio: "inherit" });
  // Users need no types of the pages, and do not have the project's files.
  const modules = readFileSync(out, "utf8").split(/^(?=declare module )/m).filter((text) => !/^declare module "(?:demo|proof|dev)\//.test(text));
  const text = head + modules.join("").replace(/(from |import\()"\.\/([\w-]+)\.js"/g, '$1"forme/$2"').replace(/"forme\/(forme|forme-rows)"/g, '"$1"');
  if (!process.argv.includes("--check")) writeFileSync(target, text);
  else if (!existsSync(target) || readFileSync(target, "utf8") !== text) {
    console.error("Sources/Web/forme.d.ts is not what the modules say; run node Sources/Web/types.mjs");
    process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true });
}
