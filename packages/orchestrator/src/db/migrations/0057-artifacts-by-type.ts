import type { Migration } from "@orchestrator/kernel/storage";

// Artifacts of a type that few have, and messages through one block: all would be gone through for
// them.

export const artifactsByTypeMigration: Migration = {
  name: "artifacts-by-type",
  up: () => `
    create index artifacts_by_type on artifacts (workspace_id, type, id) where type is not null;
    create index deliveries_by_block on deliveries (workspace_id, block_document_id, created);`,
};
