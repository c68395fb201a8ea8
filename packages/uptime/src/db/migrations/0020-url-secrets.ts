import type { Migration } from "@orchestrator/kernel/storage";

/**
 * Earlier versions sealed nothing in the query of an address: a loop does, where no key is named.
 */
export const urlSecretsMigration: Migration = {
  name: "url-secrets",
  up: () => `update monitors set sealed_with = 'none' where url like '%?%';`,
};
