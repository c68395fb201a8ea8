/** What every page is given. */
export interface PageProps {
  /** What the names after colons in its path were. */
  readonly params: Readonly<Record<string, string>>;
}
