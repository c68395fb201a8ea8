import type { Command } from "commander";

/**
 * A word of the command line: a noun, after which another word follows, or what is done with it.
 */
export interface Word {
  readonly name: string;
  readonly aliases?: readonly string[];
  /** Its line in the help of the word before. */
  readonly about: string;
  /**
   * The words that may follow, or the command; read only when it is asked for, so that help comes
   * at once.
   */
  readonly load: () => Promise<readonly Word[] | Command>;
}

/** A word that does something. Its command may say more about itself than the line here. */
export const word = (
  name: string,
  about: string,
  load: () => Promise<Command>,
  aliases: readonly string[] = [],
): Word => ({ name, aliases, about, load });

/** A word after which one of these follows. */
export const group = (
  name: string,
  about: string,
  words: readonly Word[],
  aliases: readonly string[] = [],
): Word => ({ name, aliases, about, load: () => Promise.resolve(words) });
