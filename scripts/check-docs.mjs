// Checks that every path of this repository that the documents name exists, and every heading that
// they link to,
// and that no table cell and no paragraph of a guide is too long.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { longPassagesIn } from "./lib/long-passages.mjs";
import { root } from "./lib/run.mjs";

const TOP_LEVEL = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"];
const FOLDERS = "packages|scripts|docs|tests|bench|examples|\\.ci";
const NAMED = new RegExp(`(?<![\\w./@:-])(?:\\./)?(?:${FOLDERS})/[^\\s\`'"|,;()\\[\\]]*`, "g");
const FENCE = /^ {0,3}(```+|~~~+)[^\n]*\n[\s\S]*?^ {0,3}\1/gm;
const CODE_SPAN = /`[^`\n]+`/g;
const LINK = /\]\(\s*<?([^)\s>]+)>?[^)]*\)|^\s*\[[^\]]+\]:\s*(\S+)/gm;
const GUIDES =
  /^(?:ARCHITECTURE\.md$|packages\/|docs\/(?:tutorials|how-to|reference|explanation)\/)/;
const GENERATED = /(^|\/)(dist|node_modules|coverage)(\/|$)/;

const readmes = readdirSync(join(root, "packages")).map((name) => `packages/${name}/README.md`);
const documents = [...TOP_LEVEL, ...readmes, ...markdownIn("docs")].filter((file) =>
  existsSync(join(root, file)),
);
const named = documents.flatMap((file) => pathsNamedIn(file));
const missing = named.filter(
  ({ path, heading }) => !existsSync(join(root, path)) || !hasHeading(path, heading),
);

const guides = documents.filter((file) => GUIDES.test(file));
const long = guides.flatMap((file) =>
  longPassagesIn(readFileSync(join(root, file), "utf8")).map((found) => ({ file, ...found })),
);

for (const { file, text } of missing) console.error(`${file} names ${text}, which does not exist`);
for (const { file, line, what } of long) console.error(`${file}:${line}: ${what} is too long`);
if (named.length === 0) console.error("No document names any path, so nothing was checked.");
if (guides.length === 0) console.error("There is no guide, so no length was checked.");
if (missing.length + long.length > 0 || named.length === 0 || guides.length === 0)
  process.exitCode = 1;
else console.log(`${named.length} paths in ${documents.length} documents`);

function pathsNamedIn(file) {
  const text = readFileSync(join(root, file), "utf8");
  const prose = text.replace(FENCE, "");
  const code = [...(text.match(FENCE) ?? []), ...(prose.match(CODE_SPAN) ?? [])];
  const inCode = code
    .flatMap((part) => part.match(NAMED) ?? [])
    .map((path) => ({ text: path, path }));
  const inLinks = [...prose.replace(CODE_SPAN, "").matchAll(LINK)]
    .map(([, inline, reference]) => inline ?? reference)
    .filter((target) => !/^([a-z][a-z+.-]*:|\/\/)/i.test(target))
    .map((target) => ({
      text: target,
      path: resolveLink(file, target),
      heading: target.split("#")[1],
    }));
  return [...inCode, ...inLinks]
    .map((found) => ({ ...found, file, path: knownPart(found.path) }))
    .filter(({ path }) => !GENERATED.test(path));
}

function resolveLink(file, target) {
  const path = decodeURI(target.replace(/[?#].*$/, ""));
  if (path === "") return file;
  return path.startsWith("/") ? path.slice(1) : join(dirname(file), path);
}

function hasHeading(path, heading) {
  return heading === undefined || !path.endsWith(".md") || headingsOf(path).has(heading);
}

/** As links name them; of two that read the same, the second ends with `-1`. */
function headingsOf(path) {
  const prose = readFileSync(join(root, path), "utf8").replace(FENCE, "");
  const names = new Set();
  for (const [, title] of prose.matchAll(/^#{1,6} +(.+?) *#*$/gm)) {
    const words = title.replace(/\]\([^)]*\)/g, "").toLowerCase();
    const name = words.replace(/[^\p{L}\p{N}_ -]/gu, "").replaceAll(" ", "-");
    let [unique, count] = [name, 0];
    while (names.has(unique)) unique = `${name}-${++count}`;
    names.add(unique);
  }
  return names;
}

/** Without a line number or the end of a sentence, and only up to where a placeholder begins. */
function knownPart(path) {
  const plain = path.replace(/[?#].*$/, "").replace(/(:\d+)*[.:!?]*$/, "");
  const parts = plain.split("/");
  const open = parts.findIndex((part) => /[*<>{}$…]|\.\.\.$/.test(part));
  return (open === -1 ? parts : parts.slice(0, open)).join("/");
}

function markdownIn(folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return markdownIn(path);
    return entry.name.endsWith(".md") ? [path] : [];
  });
}
