import type { Dialect } from "../storage/dialect.ts";
import type { BloomBits } from "./bloom-bits.ts";

/**
 * A table whose rows have a time and texts that are searched; rows are added and deleted, never
 * changed.
 */
export interface TextSource {
  readonly name: string;
  readonly table: string;
  /** The column with the time; an index has the rows of a workspace in its order. */
  readonly time: string;
  /** Some of the texts are JSON, in which a term may stand with escapes. */
  readonly holdsJson: boolean;
}

/** The same, with what it takes to make blocks of it. */
export interface IndexedTextSource extends TextSource {
  readonly rowsPerBlock: number;
  /** An expression: what the marks are made of, as one text. */
  readonly text: (dialect: Dialect) => string;
  /** An expression: how long that text is, about, found without reading it. */
  readonly size: (dialect: Dialect) => string;
  /** Marks all texts of a row. */
  readonly mark: (marks: BloomBits, text: string) => void;
}

/**
 * Times from `since` up to `until`, both included. A block is of times behind its `since`: the text
 * behind a time and before the next one is `behind` it.
 */
export interface BlockRange {
  readonly since: string;
  readonly until: string;
}

/** Before and behind all times. */
export const BEFORE_ALL_TIMES = "";
export const AFTER_ALL_TIMES = "~";

/**
 * Times have one length, so whatever is longer and begins with one lies between it and the next.
 */
export const behind = (time: string): string =>
  time === BEFORE_ALL_TIMES ? BEFORE_ALL_TIMES : `${time}~`;
