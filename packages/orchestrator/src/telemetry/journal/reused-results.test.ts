import { openScope } from "@orchestrator/kernel/scope";
import { expect, test } from "vitest";
import { plansOf } from "../../testing/plans.ts";
import { describeEachApi } from "../../testing.ts";
import { copyResults, sizeOfResults } from "./reused-results.store.ts";

const { workspaceId } = openScope("test");
const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
const RESULTS = { flow_run_id: id(1), before: "9999-12-31T23:59:59.999999Z" };
/** The runs within the run stand in a table of a few rows while the statement runs. */
const WHOLE_TABLE = /(?:SCAN|Seq Scan on) (?:run|call|subflow|entry|copy)\b/;

describeEachApi("results of a run and its subflows", (open) => {
  test("are found through indexes, however many other runs there are", async () => {
    await using api = await open();
    const plans = await plansOf(api, async ({ db }) => {
      await sizeOfResults(db.in(workspaceId), RESULTS);
      await db.write(workspaceId, async (tx) => copyResults(tx, { ...RESULTS, copy_id: id(2) }));
    });
    expect(plans).toHaveLength(2);
    for (const plan of plans) {
      expect(plan).toMatch(/journal_entries_pkey|sqlite_autoindex_journal_entries_1/);
      expect(plan).not.toMatch(WHOLE_TABLE);
      // PostgreSQL chooses by statistics, which empty tables do not have.
      if (api.ctx.db.dialect.isRemote) continue;
      expect(plan).toContain("SEARCH call USING INDEX task_runs_by_key (flow_run_id=?)");
      expect(plan).toMatch(
        /SEARCH subflow USING INDEX flow_runs_by_parent \(parent_task_run_id=\?/,
      );
    }
  });
});
