import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./run.mjs";

const REPEATS = /\brounds\(|\bisLongRun\b/;

/** The files of tests that try something more often in a long run. */
export function repeatingTests() {
  const packages = readdirSync(join(root, "packages")).map((name) => `packages/${name}/src`);
  return [...packages, "tests"]
    .flatMap((folder) => testsIn(folder))
    .filter((file) => REPEATS.test(readFileSync(join(root, file), "utf8")));
}

function testsIn(folder) {
  try {
    return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".test.ts"))
      .map((file) => `${folder}/${file}`);
  } catch {
    return []; // it is no package
  }
}
