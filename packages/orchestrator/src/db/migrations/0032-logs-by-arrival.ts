import type { Migration } from "@orchestrator/kernel/storage";

/**
 * Whoever follows the logs asks for what arrived lately, by whatever clock the lines were written.
 */
export const logsByArrivalMigration: Migration = {
  name: "logs-by-arrival",
  up: () => `create index logs_by_arrival on logs (created, id);`,
};
