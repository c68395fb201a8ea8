// The door to lists: filters, sort orders, pages and counts, search in texts, and CSV.

export { type CsvCell, csvLine } from "./csv/csv-line.ts";
export { counterFor } from "./lists/counters.ts";
export type {
  Attributes,
  Filterable,
  ListDefinition,
  Relation,
  Relations,
  RowCounter,
} from "./lists/definition.ts";
export { listIds } from "./lists/list-ids.ts";
export { type PageResult, pageJson } from "./lists/page-json.ts";
export {
  countRows,
  findPageRanges,
  listBytes,
  listJson,
  type SelectedRows,
  type Selection,
  selectFrom,
} from "./lists/read-list.ts";
export {
  BLOCKS_PER_PASS,
  createTextBlocks,
  type MaintainTextBlocks,
} from "./text-blocks/maintain.ts";
export { findTextRanges, type TextRanges } from "./text-blocks/text-ranges.ts";
export type { BlockRange, IndexedTextSource } from "./text-blocks/text-source.ts";
export { BLOCK_AGE_MICROS, recordUnindexedRows } from "./text-blocks/unindexed-rows.ts";
export { parseTextSearch, textMatcher } from "./text-search/text-search.ts";
