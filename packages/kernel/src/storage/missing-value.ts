const POSTGRES_NOT_NULL = "23502";
const SQLITE_NOT_NULL = 1299;

/** Whether a statement was refused because a column that needs a value got none, as of a row that it looked for and did not find. */
export function isMissingValue(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("code" in error && error.code === POSTGRES_NOT_NULL) return true;
  return "errcode" in error && error.errcode === SQLITE_NOT_NULL;
}
