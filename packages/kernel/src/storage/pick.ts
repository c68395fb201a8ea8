/**
 * Some columns of a row, or of the placeholders of one: one list of them serves `select`, `insert`
 * and `update`.
 */
export function pick<Row, Key extends keyof Row>(
  row: Row,
  columns: readonly Key[],
): Pick<Row, Key> {
  return Object.fromEntries(columns.map((column) => [column, row[column]])) as Pick<Row, Key>;
}
