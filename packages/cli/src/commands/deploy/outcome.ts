/** What became of one entry of the file. */
export interface Outcome {
  readonly name: string;
  readonly action: "create" | "change" | "none" | "delete";
  readonly changes: readonly string[];
  /** Null while it is only considered. */
  readonly id: string | null;
}
