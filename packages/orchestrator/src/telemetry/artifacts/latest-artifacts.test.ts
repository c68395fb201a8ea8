import { listJson } from "@orchestrator/kernel/lists";
import { openScope } from "@orchestrator/kernel/scope";
import type { Database } from "@orchestrator/kernel/storage";
import { expect, test } from "vitest";
import { plansOf } from "../../testing/plans.ts";
import { describeEachApi } from "../../testing.ts";
import { LATEST_ARTIFACT_LIST } from "./artifacts.filter.ts";

const WORKSPACE = openScope("test").workspaceId;
const RUN = "00000001-0000-4000-8000-000000000001";
const KEYS = 2000;

/** Ten artifacts of each key. */
async function fill(db: Database): Promise<void> {
  const isSqlite = db.dialect.name === "sqlite";
  const numbers = (n: number) =>
    isSqlite
      ? `(with recursive g(n) as (select 1 union all select n + 1 from g where n < ${n}) select n from g) g`
      : `generate_series(1, ${n}) as g(n)`;
  const id = (kind: number, n: string) => {
    const digits = `substr('000000000000' || cast(${n} as text), length(cast(${n} as text)) + 1)`;
    const text = `'0000000${kind}-0000-4000-8000-' || ${digits}`;
    return isSqlite ? text : `(${text})::uuid`;
  };
  await db.exclusively(async (session) => {
    await session.execute(
      `insert into artifacts (id, workspace_id, created, updated, key, type, flow_run_id)
       select ${id(2, "n")}, '${WORKSPACE}', '', '', 'key ' || (n % ${KEYS}), 'table', ${id(1, "n")} from ${numbers(KEYS * 10)}`,
    );
    await session.execute(
      `insert into artifact_collections (id, workspace_id, created, updated, key, latest_id)
       select ${id(3, "n")}, '${WORKSPACE}', '', cast(n as text), 'key ' || (n % ${KEYS}), ${id(2, `(n + ${KEYS * 9})`)} from ${numbers(KEYS)}`,
    );
    if (!isSqlite) await session.execute("analyze artifacts; analyze artifact_collections");
  });
}

describeEachApi("the latest artifacts", (open) => {
  test("are read collection by collection, in their order, and not from all artifacts", async () => {
    await using api = await open();
    await fill(api.ctx.db);
    const plan = async (sort: string, filter: Readonly<Record<string, unknown>> = {}) => {
      const page = { sort, filter, limit: 20, offset: 0 };
      const plans = await plansOf(api, (ctx) =>
        listJson(ctx.db.in(WORKSPACE), LATEST_ARTIFACT_LIST, page),
      );
      return plans.join("\n");
    };
    for (const filter of [{}, { type: { not_any_: ["result"] } }]) {
      for (const sort of ["ID_DESC", "CREATED_DESC", "UPDATED_DESC", "KEY_ASC", "KEY_DESC"]) {
        const read = await plan(sort, filter);
        expect([sort, read]).toEqual([sort, expect.stringMatching(/Left Join|LEFT-JOIN/)]);
        // At most the id among equals is left to sort.
        const sorted = /TEMP B-TREE FOR ORDER BY|->  Sort/;
        expect([sort, read]).toEqual([sort, expect.not.stringMatching(sorted)]);
      }
    }
    expect(await plan("ID_DESC", { flow_run_id: { any_: [RUN] } })).toContain(
      "artifacts_by_flow_run",
    );
  });
});
