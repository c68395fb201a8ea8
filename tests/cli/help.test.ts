// Help comes at once, because nothing is read for it that only the work of a command needs.
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";

const NOUNS = new URL("../../packages/cli/dist/nouns.js", import.meta.url).href;

/** Tells of every module that is read. */
const HOOKS = `
import { writeSync } from "node:fs";
export async function load(url, context, next) {
  writeSync(1, url + "\\n");
  return next(url, context);
}`;
const inline = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`;
const REGISTER = `import { register } from "node:module"; register(${JSON.stringify(inline(HOOKS))});`;
const READ_ALL = `
const { NOUNS } = await import(${JSON.stringify(NOUNS)});
for (const { load } of NOUNS) (await load()).helpInformation();`;

const SMALL = /\/client\/dist\/(?:settings|node\/client-settings)\.js$/;
const HEAVY =
  /\/packages\/(?!cli\/)|\/node_modules\/(?!commander\/)|^node:(?:child_process|crypto)$/;

test("the help of no command reads the client, the SDK, the server or a library but the one for commands", () => {
  const args = ["--import", inline(REGISTER), "--input-type=module", "-e", READ_ALL];
  const read = execFileSync(process.execPath, args, { encoding: "utf8" }).trim().split("\n");
  expect(read.filter((url) => url.includes("/packages/cli/dist/commands/")).length).toBeGreaterThan(
    40,
  );
  expect(read.filter((url) => HEAVY.test(url) && !SMALL.test(url))).toEqual([]);
});
