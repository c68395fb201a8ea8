import { Command } from "commander";
import { noun } from "../../io/command.ts";
import { print } from "../../io/print.ts";
import type { Noun } from "../../noun.ts";
import { commandTree, type Node } from "./command-tree.ts";
import { bashScript, fishScript, zshScript } from "./scripts.ts";

export function completionCommand(nouns: readonly Noun[]): Command {
  return noun("completion", "Print a script that lets your shell complete commands", [
    shell("bash", { nouns, script: bashScript, use: "source <(orchestrator completion bash)" }),
    shell("zsh", { nouns, script: zshScript, use: "source <(orchestrator completion zsh)" }),
    shell("fish", { nouns, script: fishScript, use: "orchestrator completion fish | source" }),
  ]);
}

interface Shell {
  readonly nouns: readonly Noun[];
  readonly script: (root: Node) => string;
  readonly use: string;
}

function shell(name: string, { nouns, script, use }: Shell): Command {
  return new Command(name)
    .description(`For ${name}: ${use}`)
    .addHelpText("after", `\nExamples:\n  $ ${use}`)
    .action(async () => print(script(await commandTree(nouns)).trimEnd()));
}
