// Help comes at once, because nothing is read for it but what it tells of.
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

interface Word {
  readonly name: string;
  /** The words that may follow, or a command. */
  readonly load: () => Promise<readonly Word[] | object>;
}

const built = (file: string): string =>
  new URL(`../../packages/cli/dist/${file}`, import.meta.url).href;
const MAIN = built("main.js");
const { NOUNS } = (await import(built("nouns.js"))) as { readonly NOUNS: readonly Word[] };

/** Tells of every module that is read. */
const HOOKS = `
import { writeSync } from "node:fs";
export async function load(url, context, next) {
  writeSync(2, url + "\\n");
  return next(url, context);
}`;
const inline = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`;
const REGISTER = `import { register } from "node:module"; register(${JSON.stringify(inline(HOOKS))});`;

/** What is printed, and which modules are read, for the help of all of these. */
function helpOf(paths: readonly string[]): { readonly printed: string; readonly read: string[] } {
  const code = `
const { runCommandLine } = await import(${JSON.stringify(MAIN)});
for (const path of ${JSON.stringify(paths)}) await runCommandLine([...path.split(" "), "--help"]);`;
  const args = ["--import", inline(REGISTER), "--input-type=module", "-e", code];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  return {
    printed: stdout,
    read: stderr.split("\n").filter((line) => /^(?:file|node):/.test(line)),
  };
}

/** Every word with those that lead to it: nouns, and what is done with them. */
async function pathsOf(
  words: readonly Word[],
  before = "",
): Promise<Record<"nouns" | "verbs", string[]>> {
  const paths = { nouns: [] as string[], verbs: [] as string[] };
  for (const word of words) {
    const path = `${before} ${word.name}`.trim();
    const read = await word.load();
    if (!isTable(read)) paths.verbs.push(path);
    else {
      const below = await pathsOf(read, path);
      paths.nouns.push(path, ...below.nouns);
      paths.verbs.push(...below.verbs);
    }
  }
  return paths;
}
const isTable = (read: Awaited<ReturnType<Word["load"]>>): read is readonly Word[] =>
  Array.isArray(read);

const SMALL =
  /\/client\/dist\/(?:settings|refusals|node\/(?:client-settings|private-folder))\.js$|\/exact-json\/dist\/[\w-]+\.js$/;
const HEAVY =
  /\/packages\/(?!cli\/)|\/node_modules\/(?!commander\/)|^node:(?:child_process|crypto|readline)/;
const COMMANDS = /\/packages\/cli\/dist\/commands\/(?<path>.*)\.js$/;

test("the help of a noun reads none of its commands", async () => {
  const { nouns } = await pathsOf(NOUNS);
  const { printed, read } = helpOf(nouns);
  for (const path of nouns)
    expect(printed).toMatch(new RegExp(`^Usage: orchestrator ${path}[ |]`, "m"));
  const tables = read.flatMap((url) => COMMANDS.exec(url)?.groups?.["path"] ?? []);
  expect(tables.length).toBeGreaterThan(20);
  expect(tables.filter((path) => path !== `${path.split("/")[0]}/${path.split("/")[0]}`)).toEqual(
    [],
  );
});

test("the help of a command reads no other command of the noun", () => {
  const { read } = helpOf(["flow-run ls"]);
  const commands = read.flatMap((url) => COMMANDS.exec(url)?.groups?.["path"] ?? []);
  expect(commands).toEqual(["flow-run/flow-run", "flow-run/ls"]);
});

test("the help of no command reads the client, the SDK, the server or a library but the one for commands", async () => {
  const { verbs } = await pathsOf(NOUNS);
  const { printed, read } = helpOf(verbs);
  expect(printed.match(/^Usage: orchestrator /gm)?.length).toBe(verbs.length);
  expect(verbs.length).toBeGreaterThan(150);
  expect(read.filter((url) => HEAVY.test(url) && !SMALL.test(url))).toEqual([]);
});

/** One word may be wider, and an example is typed in one line. */
const MAY_BE_WIDE = /^ *\S+$|^ {2}\$ |^Usage: /;

test("the help of every command fits a terminal of 80 columns, with room between a name and what it is", async () => {
  const { verbs } = await pathsOf(NOUNS);
  const lines = helpOf(verbs).printed.split("\n");
  expect(lines.filter((line) => line.length > 80 && !MAY_BE_WIDE.test(line))).toEqual([]);
  expect(lines.filter((line) => /^ {2}[A-Z_]{8,}[A-Z][a-z]/.test(line))).toEqual([]);
});
