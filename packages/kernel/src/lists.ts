// The door to lists: filters, sort orders, pages and counts, search in texts, and CSV.

export { type CsvCell, csvLine } from "./csv/csv-line.ts";
export type {
  Attributes,
  Filterable,
  ListDefinition,
  Relation,
  Relations,
  Tally,
} from "./lists/definition.ts";
export { listIds } from "./lists/list-ids.ts";
export { type PageResult, pageJson } from "./lists/page-json.ts";
export {
  countRows,
  findPageStretches,
  listBytes,
  listJson,
  type SelectedRows,
  type Selection,
  selectFrom,
} from "./lists/read-list.ts";
export { tallyFor } from "./lists/tallies.ts";
export { BLOCKS_PER_PASS, createTextBlocks, type KeepTextBlocks } from "./text-blocks/keep.ts";
export { BLOCK_AGE_MICROS, noteLateTexts } from "./text-blocks/late-texts.ts";
export { findStretches, type Stretches } from "./text-blocks/stretches.ts";
export type { MarkedSource, Stretch } from "./text-blocks/text-source.ts";
export { parseTextSearch, textMatcher } from "./text-search/text-search.ts";
