/**
 * Finds the rows of a large table by some letters of a text: what a migration made with
 * `letterIndex`, and what keeps it.
 */
export interface TrigramIndex {
  readonly name: string;
  readonly table: string;
  readonly column: string;
}

/**
 * As SQL: the keys of rows that may hold some letters, as JSON in a column `record`, and whether
 * they are all of them.
 */
export interface TrigramCandidates {
  readonly rows: string;
  readonly areAll: string;
}

/** What became of a pass over it. */
export type TrigramIndexPass =
  | { readonly state: "kept" }
  /** There are too few rows for it to be worth its price. */
  | { readonly state: "not needed" }
  /** It was told to end; the next pass goes on. */
  | { readonly state: "left" }
  /** The database cannot have it: everything works, and searches take longer. */
  | { readonly state: "refused"; readonly reason: string };
