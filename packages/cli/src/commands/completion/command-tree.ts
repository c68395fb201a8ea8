import type { Command } from "commander";
import type { Noun } from "../../noun.ts";

/** A command as shells need to know it. */
export interface Node {
  /** The words that lead here, such as `deployment schedule`; empty for the command itself. */
  readonly path: string;
  /** All names of it. */
  readonly names: readonly string[];
  readonly about: string;
  readonly options: readonly Word[];
  readonly children: readonly Node[];
}

export interface Word {
  readonly name: string;
  readonly about: string;
}

const GLOBAL: readonly Word[] = [
  { name: "--profile", about: "use another profile" },
  { name: "--no-prompt", about: "never ask" },
  { name: "--help", about: "show help" },
];

/** Every command there is, read whole. */
export async function commandTree(known: readonly Noun[]): Promise<Node> {
  const nouns = await Promise.all(
    known.map(async ({ load, aliases = [], about }) => {
      const node = nodeOf(await load(), "");
      return { ...node, about, names: [...new Set([...node.names, ...aliases])] };
    }),
  );
  return { path: "", names: ["orchestrator"], about: "", options: GLOBAL, children: nouns };
}

function nodeOf(command: Command, parent: string): Node {
  const path = `${parent} ${command.name()}`.trim();
  const options = command.options
    .filter(({ hidden, long }) => !hidden && long)
    .map(({ long, description }) => ({ name: long ?? "", about: description }));
  return {
    path,
    names: [command.name(), ...command.aliases()],
    about: command.summary() || command.description(),
    options: [...options, { name: "--help", about: "show help" }],
    children: command.commands.map((child) => nodeOf(child, path)),
  };
}

/** The command and all below it. */
export const everyNode = (node: Node): Node[] => [node, ...node.children.flatMap(everyNode)];
