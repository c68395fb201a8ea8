import { readJson } from "@orchestrator/exact-json";
import type { SystemTransaction } from "@orchestrator/kernel/storage";
import type { ApiDialect } from "../../../dialect.ts";
import { Catalogue, type LiveAutomation } from "./catalogue.rules.ts";
import { type TriggerRule, understood } from "./triggers.rules.ts";
import { lockAutomationCatalog, readAutomationRevision, readChanged } from "./triggers.store.ts";

type Reads = Pick<SystemTransaction, "get" | "all">;
type Changed = Awaited<ReturnType<typeof readChanged>>[number];

/** The triggers of all automations that are switched on, as of the transaction that asks. */
export interface LiveCatalogue {
  /** Reads what was committed since the last time; transactions that follow have less to read. */
  readonly refresh: (queries: Reads) => Promise<void>;
  /**
   * As it was when it was last read, for estimates: some of it may have changed since, or not be
   * committed.
   */
  readonly latest: () => Catalogue;
  /**
   * Until the transaction ends nobody else evaluates triggers or changes automations. What it has
   * read is forgotten unless it is kept: it may have been written by a transaction that is taken
   * back together with this one.
   */
  readonly hold: (tx: SystemTransaction) => Promise<Catalogue>;
  /** To be called when what was done with the catalogue is committed. */
  readonly keep: () => void;
}

/** Kept from one pass to the next; only what has changed is read again. */
export function createLiveCatalogue({
  watchesUnasked,
}: Pick<ApiDialect, "watchesUnasked">): LiveCatalogue {
  let catalogue = new Catalogue();
  let known = 0;
  /**
   * What the transaction under way has changed: the automations as they were before, and the
   * revision.
   */
  let provisional: { readonly before: Map<string, LiveAutomation | null>; known: number } | null =
    null;

  const takeBack = (): void => {
    for (const [id, before] of provisional?.before ?? []) {
      if (before === null) catalogue.remove(id);
      else catalogue.set(before);
    }
    known = provisional?.known ?? known;
    provisional = null;
  };

  const change = (row: Changed): void => {
    const automation = automationOf(row, watchesUnasked);
    if (automation === null) catalogue.remove(row.automation_id);
    else catalogue.set(automation);
  };

  /** A smaller revision means another database in the place of the old. */
  const forgetOther = (revision: number): void => {
    if (revision >= known) return;
    catalogue = new Catalogue();
    known = 0;
  };

  return {
    async refresh(queries) {
      takeBack();
      const revision = await readAutomationRevision(queries);
      forgetOther(revision);
      if (revision === known) return;
      for (const row of await readChanged(queries, known)) change(row);
      known = revision;
    },
    latest: () => catalogue,
    async hold(tx) {
      takeBack();
      const revision = await lockAutomationCatalog(tx);
      forgetOther(revision);
      if (revision === known) return catalogue;
      const rows = await readChanged(tx, known);
      provisional = { before: new Map(), known };
      for (const row of rows) {
        provisional.before.set(row.automation_id, catalogue.automation(row.automation_id));
        change(row);
      }
      known = revision;
      return catalogue;
    },
    keep() {
      provisional = null;
    },
  };
}

/** Null where it is switched off or gone. */
function automationOf(row: Changed, watchesUnasked: boolean): LiveAutomation | null {
  const { automation_id: id, workspace_id: workspaceId, name, description, trigger } = row;
  if (row.enabled !== true || trigger === null) return null;
  return {
    id,
    workspaceId,
    name: name ?? "",
    description: description ?? "",
    tags: JSON.parse(row.tags ?? "[]") as string[],
    trigger: understood(readJson(trigger) as TriggerRule, watchesUnasked),
    actions: readJson(row.actions ?? "[]") as unknown[],
    actionsOnTrigger: readJson(row.actions_on_trigger ?? "[]") as unknown[],
  };
}
