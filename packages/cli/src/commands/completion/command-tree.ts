import { Command } from "commander";
import type { Word } from "../../word.ts";

/** A command as shells need to know it. */
export interface Node {
  /** The words that lead here, such as `deployment schedule`; empty for the command itself. */
  readonly path: string;
  /** All names of it. */
  readonly names: readonly string[];
  readonly about: string;
  readonly options: readonly Suggestion[];
  readonly children: readonly Node[];
}

export interface Suggestion {
  readonly name: string;
  readonly about: string;
}

const GLOBAL: readonly Suggestion[] = [
  { name: "--profile", about: "use another profile" },
  { name: "--no-prompt", about: "never ask" },
  { name: "--help", about: "show help" },
];

/** Every command there is, read whole. */
export async function commandTree(nouns: readonly Word[]): Promise<Node> {
  const children = await Promise.all(nouns.map((noun) => nodeOf(noun, "")));
  return { path: "", names: ["orchestrator"], about: "", options: GLOBAL, children };
}

async function nodeOf(word: Word, parent: string): Promise<Node> {
  const { name, aliases = [], about } = word;
  const path = `${parent} ${name}`.trim();
  const read = await word.load();
  const isCommand = read instanceof Command;
  return {
    path,
    names: [name, ...aliases],
    about,
    options: [...(isCommand ? optionsOf(read) : []), { name: "--help", about: "show help" }],
    children: isCommand ? [] : await Promise.all(read.map((child) => nodeOf(child, path))),
  };
}

const optionsOf = (command: Command): readonly Suggestion[] =>
  command.options
    .filter(({ hidden, long }) => !hidden && long)
    .map(({ long, description }) => ({ name: long ?? "", about: description }));

/** The command and all below it. */
export const everyNode = (node: Node): Node[] => [node, ...node.children.flatMap(everyNode)];
