import { Command } from "commander";
import { print } from "../../io/print.ts";
import type { Word } from "../../word.ts";
import { commandTree, type Node } from "./command-tree.ts";
import { bashScript, fishScript, zshScript } from "./scripts.ts";

export const bash = (nouns: readonly Word[]): Command =>
  shell(nouns, "source <(orchestrator completion bash)", bashScript);

export const zsh = (nouns: readonly Word[]): Command =>
  shell(nouns, "source <(orchestrator completion zsh)", zshScript);

export const fish = (nouns: readonly Word[]): Command =>
  shell(nouns, "orchestrator completion fish | source", fishScript);

function shell(nouns: readonly Word[], use: string, script: (root: Node) => string): Command {
  return new Command()
    .addHelpText("after", `\nExamples:\n  $ ${use}`)
    .action(async () => print(script(await commandTree(nouns)).trimEnd()));
}
