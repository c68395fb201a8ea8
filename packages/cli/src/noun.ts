import type { Command } from "commander";

/** One of the words that a command begins with. */
export interface Noun {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly about: string;
  /** Its commands are read only when one of them is asked for, so that help comes at once. */
  readonly load: () => Promise<Command>;
}
