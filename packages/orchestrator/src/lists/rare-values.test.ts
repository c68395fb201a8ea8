import { countRows, type ListDefinition, listJson } from "@orchestrator/kernel/lists";
import { openScope } from "@orchestrator/kernel/scope";
import type { Database } from "@orchestrator/kernel/storage";
import { expect, test } from "vitest";
import { DELIVERY_LIST } from "../reacting/deliveries/deliveries.filter.ts";
import { ARTIFACT_LIST } from "../telemetry/artifacts/artifacts.filter.ts";
import { plansOf } from "../testing/plans.ts";
import { describeEachApi } from "../testing.ts";

const WORKSPACE = openScope("test").workspaceId;
const ID = "00000002-0000-4000-8000-000000000007";
const ROWS = 10_000;

/** Fills the tables with one statement each: so many rows one by one would take too long. */
async function fill(db: Database): Promise<void> {
  const isSqlite = db.dialect.name === "sqlite";
  const numbers = isSqlite
    ? `(with recursive g(n) as (select 1 union all select n + 1 from g where n < ${ROWS}) select n from g) g`
    : `generate_series(1, ${ROWS}) as g(n)`;
  const id = (kind: number, n = "n") => {
    const digits = `substr('000000000000' || cast(${n} as text), length(cast(${n} as text)) + 1)`;
    const text = `'0000000${kind}-0000-4000-8000-' || ${digits}`;
    return isSqlite ? text : `(${text})::uuid`;
  };
  const time = "'2026-' || cast(100000 + n as text)";
  await db.exclusively(async (session) => {
    await session.execute(
      `insert into artifacts (id, workspace_id, created, updated, key, type, flow_run_id)
       select ${id(1)}, '${WORKSPACE}', ${time}, ${time}, 'key ' || (n % 500),
         case when n % 500 = 7 then 'rare' else 'usual' end, ${id(2, "(n % 500)")} from ${numbers}`,
    );
    await session.execute(
      `insert into deliveries (id, workspace_id, created, updated, automation_id, automation_name, action_type, action_index,
         block_document_id, block_document_name, block_type_slug, status, parts, attempts, give_up, settled, firing, follows)
       select ${id(3)}, '${WORKSPACE}', ${time}, ${time}, ${id(4, "1")}, 'tell', 'send-notification', 0,
         ${id(2, "(n % 500)")}, 'block', 'slack-webhook', 'DELIVERED', '[]', 1, '', ${time}, '{}', ${id(5)} from ${numbers}`,
    );
    if (!isSqlite) await session.execute("analyze artifacts; analyze deliveries");
  });
}

const ofRare = { type: { any_: ["rare"] } };
const ofRareOrNone = { type: { any_: ["rare", "none"] } };
const ofUsual = { type: { any_: ["usual"] } };
const ofRun = { flow_run_id: { any_: [ID] } };
const ofBlock = { block_document_id: { any_: [ID] } };

/** By which index the rows are found. */
const ASKED: readonly (readonly [ListDefinition, object, string])[] = [
  [ARTIFACT_LIST, ofRare, "artifacts_by_type"],
  [ARTIFACT_LIST, ofRareOrNone, "artifacts_by_type"],
  [ARTIFACT_LIST, { ...ofUsual, ...ofRun }, "artifacts_by_flow_run"],
  [ARTIFACT_LIST, { ...ofUsual, key: { any_: ["key 7"] } }, "artifacts_by_key"],
  [DELIVERY_LIST, ofBlock, "deliveries_by_block"],
  [DELIVERY_LIST, { ...ofBlock, status: { any_: ["DELIVERED"] } }, "deliveries_by_block"],
];

describeEachApi("the database", (open) => {
  test("looks up artifacts and messages with a value that few have, whatever they are sorted by", async () => {
    await using api = await open();
    await fill(api.ctx.db);
    for (const [list, filter, index] of ASKED)
      for (const sort of ["count", ...Object.keys(list.sorts)]) {
        const page = { filter: { ...filter }, sort, limit: 200, offset: 0 };
        const plans = await plansOf(api, ({ db }) =>
          sort === "count"
            ? countRows(db.in(WORKSPACE), list, page)
            : listJson(db.in(WORKSPACE), list, page),
        );
        expect([filter, sort, plans.at(-1)]).toEqual([
          filter,
          sort,
          expect.stringContaining(index),
        ]);
      }
  });

  test("reads artifacts of a type that many have in the order of the list", async () => {
    await using api = await open();
    await fill(api.ctx.db);
    for (const type of [["usual"], ["usual", "rare"]]) {
      const page = { filter: { type: { any_: type } }, limit: 200, offset: 0 };
      const plans = await plansOf(api, ({ db }) => listJson(db.in(WORKSPACE), ARTIFACT_LIST, page));
      expect([type, plans.at(-1)]).toEqual([type, expect.not.stringMatching(/B-TREE|Sort Key/u)]);
    }
  });
});
