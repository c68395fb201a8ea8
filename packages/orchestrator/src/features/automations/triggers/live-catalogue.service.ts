import type { SystemTransaction } from "@orchestrator/kernel";
import { Catalogue } from "./catalogue.rules.ts";
import type { Trigger } from "./triggers.rules.ts";
import { holdCatalogue, readChanged } from "./triggers.store.ts";

/** The triggers of all automations that are switched on, as of the transaction that asks. */
export interface LiveCatalogue {
  /** Until the transaction ends nobody else evaluates triggers or changes automations. */
  readonly hold: (tx: SystemTransaction) => Promise<Catalogue>;
}

/** Kept from one pass to the next; only what has changed is read again. */
export function createLiveCatalogue(): LiveCatalogue {
  let catalogue = new Catalogue();
  let known = 0;
  return {
    async hold(tx) {
      const revision = await holdCatalogue(tx);
      // A smaller one means another database in the place of the old.
      if (revision < known) {
        catalogue = new Catalogue();
        known = 0;
      }
      if (revision === known) return catalogue;
      for (const row of await readChanged(tx, known)) {
        const { automation_id: id, workspace_id: workspaceId, name, description, trigger } = row;
        if (row.enabled !== true || trigger === null) {
          catalogue.remove(id);
          continue;
        }
        catalogue.set({
          id,
          workspaceId,
          name: name ?? "",
          description: description ?? "",
          tags: JSON.parse(row.tags ?? "[]") as string[],
          trigger: JSON.parse(trigger) as Trigger,
          actions: JSON.parse(row.actions ?? "[]") as unknown[],
          actionsOnTrigger: JSON.parse(row.actions_on_trigger ?? "[]") as unknown[],
        });
      }
      known = revision;
      return catalogue;
    },
  };
}
