import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./run.mjs";

const REPEATS = /\brounds\(|\bisLongRun\b/;
const LONG = /\.long\.test\.ts$/;

/** The files of tests that try something more often in a long run, or run in no other. */
export function repeatingTests() {
  const packages = readdirSync(join(root, "packages")).map((name) => `packages/${name}/src`);
  return [...packages, "tests"]
    .flatMap((folder) => testsIn(folder))
    .filter((file) => LONG.test(file) || REPEATS.test(readFileSync(join(root, file), "utf8")));
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
