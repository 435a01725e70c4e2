// Names the scripts that Node cannot read, as `node --check` would, but all of them in one process.
import fs from "node:fs";
import vm from "node:vm";

for (const file of process.argv.slice(2)) {
  try {
    new vm.SourceTextModule(fs.readFileSync(file, "utf8"), { identifier: file });
  } catch (error) {
    console.log(`${file}: ${error.message}`);
  }
}
