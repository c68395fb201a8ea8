import { Command } from "commander";
import { describe, expect, test } from "vitest";
import { NOUNS } from "./nouns.ts";
import { addWords } from "./read-words.ts";
import type { Word } from "./word.ts";

/** All that can be called, with the words that lead there. */
async function leavesOf(word: Word, before: readonly string[] = []): Promise<string[][]> {
  const path = [...before, word.name];
  const read = await word.load();
  if (read instanceof Command) return [path];
  return (await Promise.all(read.map((child) => leavesOf(child, path)))).flat();
}

/** The command as it is when somebody types these words. */
async function commandAt(path: readonly string[]): Promise<Command> {
  let command = new Command("orchestrator");
  await addWords(command, NOUNS, path);
  for (const name of path) {
    const child = command.commands.find((one) => one.name() === name);
    if (child === undefined) throw new Error(`There is no ${path.join(" ")}`);
    command = child;
  }
  return command;
}

async function tablesOf(word: Word, before: string): Promise<[string, readonly Word[]][]> {
  const path = `${before} ${word.name}`;
  const read = await word.load();
  if (read instanceof Command) return [];
  const below = await Promise.all(read.map((child) => tablesOf(child, path)));
  return [[path, read], ...below.flat()];
}

function helpOf(command: Command): string {
  let help = "";
  command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
  return help;
}

test("no word of a table is taken twice", async () => {
  const below = await Promise.all(NOUNS.map((noun) => tablesOf(noun, "orchestrator")));
  for (const [path, words] of [["orchestrator", NOUNS] as const, ...below.flat()]) {
    const names = words.flatMap(({ name, aliases = [] }) => [name, ...aliases, "help"]);
    const wanted = words.flatMap(({ aliases = [] }) => aliases).length + words.length + 1;
    expect(new Set(names).size, path).toBe(wanted);
  }
});

describe.each(NOUNS.map((noun) => ({ name: noun.name, noun })))("$name", ({ name, noun }) => {
  test("every command says what it does and shows how it is typed", async () => {
    for (const path of await leavesOf(noun)) {
      const command = await commandAt(path);
      const words = path.join(" ");
      expect(command.description(), words).not.toBe("");
      const examples = helpOf(command).split("Examples:\n")[1]?.split("\n") ?? [];
      const starts = [name, ...(noun.aliases ?? [])].map((first) => words.replace(name, first));
      const isTyped = (line: string): boolean =>
        starts.some((start) => new RegExp(` ${start}(?![\\w-])`).test(line));
      expect(examples.some(isTyped), `${words} is typed in its examples`).toBe(true);
    }
  });

  test("what cannot be taken back can be confirmed beforehand", async () => {
    for (const path of await leavesOf(noun)) {
      const words = path.join(" ");
      if (!/ (?:delete|clear|reset|revoke|unset)$/.test(words) || words === "config unset")
        continue;
      const flags = (await commandAt(path)).options.map(({ flags: text }) => text);
      expect(flags, words).toContain("-y, --yes");
    }
  });
});
