import type { Command } from "commander";
import { describe, expect, test } from "vitest";
import { NOUNS } from "./nouns.ts";

/** All that can be called, with the words that lead there. */
function leavesOf(command: Command, path: string): [string, Command][] {
  if (command.commands.length === 0) return [[path, command]];
  return command.commands.flatMap((child) => leavesOf(child, `${path} ${child.name()}`));
}

function helpOf(command: Command): string {
  let help = "";
  command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
  return help;
}

describe.each(NOUNS.map(({ name, aliases = [], load }) => ({ name, aliases, load })))(
  "$name",
  ({ name, aliases, load }) => {
    test("every command says what it does and shows how it is typed", async () => {
      const root = await load();
      expect(root.name()).toBe(name);
      for (const [path, command] of leavesOf(root, name)) {
        const help = helpOf(command);
        expect(command.description(), path).not.toBe("");
        const examples = help.split("Examples:\n")[1]?.split("\n") ?? [];
        expect(examples.length, `${path} has an example`).toBeGreaterThan(0);
        const words = [name, ...aliases].map((first) => path.replace(name, first));
        const isShown = examples.some((line) => words.some((word) => line.includes(word)));
        expect(isShown, `${path} is typed in its examples`).toBe(true);
      }
    });

    test("what cannot be taken back can be confirmed beforehand", async () => {
      for (const [path, command] of leavesOf(await load(), name)) {
        if (!/ (?:delete|clear|reset|revoke|unset)$/.test(path) || path === "config unset")
          continue;
        const flags = command.options.map(({ flags: text }) => text);
        expect(flags, path).toContain("-y, --yes");
      }
    });
  },
);
