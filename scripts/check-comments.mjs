// Lines of comments end at 100 columns; the formatter leaves comments as they are.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { root } from "./lib/run.mjs";

const WIDTH = 100;
const FOLDERS = ["packages", "tests", "bench", "scripts"];
const SKIPPED = new Set(["node_modules", "dist", ".cache"]);
const COMMENT = /^\s*(?:\/\/|\/?\*)/;
/** A hint for a tool has to stand in one line. */
const DIRECTIVE = /oxlint-disable|biome-ignore|@ts-/;

const files = FOLDERS.flatMap((folder) => sources(join(root, folder)));
const problems = files.flatMap((file) =>
  readFileSync(file, "utf8")
    .split("\n")
    .flatMap((line, i) =>
      line.length > WIDTH && COMMENT.test(line) && !DIRECTIVE.test(line)
        ? [`${relative(root, file)}:${i + 1} has a comment of ${line.length} columns`]
        : [],
    ),
);
for (const problem of problems) console.error(problem);
console.log(`${files.length} files, ${problems.length} comments beyond ${WIDTH} columns`);
if (problems.length > 0) process.exitCode = 1;

function sources(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : sources(path);
    return /\.(?:tsx?|mjs)$/.test(entry.name) ? [path] : [];
  });
}
