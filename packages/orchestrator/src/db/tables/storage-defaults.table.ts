/** One row for a workspace that has chosen: where results go when nothing else is said. */
export interface StorageDefaultRow {
  readonly updated: string;
  readonly default_result_storage_block_id: string;
}
