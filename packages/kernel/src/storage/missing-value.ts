const POSTGRES_NOT_NULL = "23502";
const SQLITE_NOT_NULL = 1299;

/**
 * Whether a statement was refused because a column that needs a value got none, as of a row that it
 * looked for and did not find.
 */
export function isMissingValue(error: unknown, column: string): boolean {
  if (!(error instanceof Error)) return false;
  if ("code" in error && error.code === POSTGRES_NOT_NULL)
    return "column" in error && error.column === column;
  if (!("errcode" in error) || error.errcode !== SQLITE_NOT_NULL) return false;
  return error.message.endsWith(`.${column}`);
}
