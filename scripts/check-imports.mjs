// Checks who imports whom against dependency-cruiser.config.mjs, and that no folders import each
// other in a circle.
import { existsSync } from "node:fs";
import swc from "@swc/core";
import { cruise, format } from "dependency-cruiser";
import extractOptions from "dependency-cruiser/config-utl/extract-depcruise-options";
import { folderCycles } from "./lib/folder-cycles.mjs";

const CHECKED = ["packages", "tests", "bench", "vitest.config.ts"];

// The cruiser stops at syntax its walker does not know, such as `await using` and JSX. It is handed
// nothing but the imports, found here wherever they stand.
const parseFile = swc.parseFileSync;
swc.parseFileSync = (file, options) => {
  const module = parseFile(file, { ...options, tsx: file.endsWith(".tsx") });
  return { ...module, body: [...importsIn(module)] };
};

function* importsIn(node) {
  if (typeof node !== "object" || node === null) return;
  const { type, span } = node;
  if (type === "ImportDeclaration" || /^Export(All|Named)Declaration$/.test(type)) yield node;
  else if (type === "CallExpression" && node.callee.type === "Import")
    yield { type: "ExpressionStatement", span, expression: node };
  else if (type === "TsImportType")
    yield { type: "ImportDeclaration", span, specifiers: [], source: node.argument };
  else for (const child of Object.values(node)) yield* importsIn(child);
}

const options = await extractOptions("./dependency-cruiser.config.mjs");
const { output } = await cruise(CHECKED.filter(existsSync), options);
const { error, totalCruised } = output.summary;
const cycles = folderCycles(output.modules);
if (totalCruised === 0) {
  console.error("No module was looked at, so nothing was checked.");
  process.exitCode = 1;
} else if (error > 0 || cycles.length > 0) {
  if (error > 0) console.error((await format(output, { outputType: "err-long" })).output.trim());
  for (const cycle of cycles) console.error(cycle);
  process.exitCode = 1;
} else {
  console.log(`${totalCruised} modules, no forbidden import, no cycle of folders`);
}
