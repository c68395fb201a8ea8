import { type ListDefinition, listJson } from "@orchestrator/kernel/lists";
import { openScope } from "@orchestrator/kernel/scope";
import type { Queries } from "@orchestrator/kernel/storage";
import { expect, test } from "vitest";
import { DELIVERY_LIST } from "../reacting/deliveries/deliveries.filter.ts";
import { ARTIFACT_LIST } from "../telemetry/artifacts/artifacts.filter.ts";
import { LOG_LIST } from "../telemetry/logs/logs.filter.ts";
import { plansOf } from "../testing/plans.ts";
import { describeEachApi } from "../testing.ts";
import { FLOW_RUN_LIST } from "./flow-runs.filter.ts";
import { FLOW_LIST } from "./flows.filter.ts";
import { FLOW_RELATIONS, FLOW_RUN_RELATIONS, TASK_RUN_RELATIONS } from "./relations.ts";
import { TASK_RUN_LIST } from "./task-runs.filter.ts";

const WORKSPACE = openScope("test").workspaceId;
const ID = "00000000-0000-4000-8000-0000000000aa";
const NOW = "2026-01-01T00:00:00.000000Z";
const VAST: readonly ListDefinition[] = [
  FLOW_RUN_LIST,
  TASK_RUN_LIST,
  LOG_LIST,
  ARTIFACT_LIST,
  DELIVERY_LIST,
];

describeEachApi("a list says which tables it may have to go through", (open) => {
  test("for what is asked of it, of what is related, and of how far behind the first it begins", async () => {
    await using api = await open();
    const queries = api.ctx.db.in(WORKSPACE);
    const sweeps = async (list: ListDefinition, request: object): Promise<readonly string[]> => {
      let last: readonly string[] = [];
      const noting: Queries = {
        workspaceId: WORKSPACE,
        dialect: queries.dialect,
        get: (statement, parameters) => queries.get(statement, parameters),
        all: (statement, parameters) => queries.all(statement, parameters),
        select: (query) => {
          last = query.sweeps ?? [];
          return queries.select(query);
        },
      };
      await listJson(noting, list, { limit: 1, offset: 0, now: NOW, ...request });
      return last;
    };
    const named = { flow_runs: { name: { like_: "x" } } };
    const ofFlows = { related: named, relations: FLOW_RELATIONS };
    expect(await sweeps(FLOW_LIST, ofFlows)).toEqual(["flow_runs"]);
    expect(await sweeps(FLOW_LIST, { ...ofFlows, offset: 5000 })).toEqual(["flow_runs"]);
    expect(await sweeps(FLOW_RUN_LIST, {})).toEqual([]);
    expect(await sweeps(FLOW_RUN_LIST, { sort: "NAME_ASC", offset: 5000 })).toEqual(["flow_runs"]);
    const ofFlow = { related: { flows: { name: { like_: "x" } } }, relations: FLOW_RUN_RELATIONS };
    expect(await sweeps(FLOW_RUN_LIST, ofFlow)).toEqual(["flow_runs"]);
    const ofRun = { related: { flow_runs: { id: { any_: [ID] } } }, relations: TASK_RUN_RELATIONS };
    expect(await sweeps(TASK_RUN_LIST, ofRun)).toEqual([]);
    expect(await sweeps(LOG_LIST, { filter: { flow_run_id: { any_: [ID] } } })).toEqual([]);
    expect(await sweeps(ARTIFACT_LIST, { sort: "UPDATED_DESC" })).toEqual(["artifacts"]);
    expect(await sweeps(DELIVERY_LIST, { filter: { id: { any_: [ID] } } })).toEqual([]);
  });

  test("also for every order that no index keeps", async () => {
    await using api = await open();
    if (api.ctx.db.dialect.isRemote) return;
    for (const list of VAST)
      for (const sort of Object.keys(list.sorts)) {
        const page = { sort, limit: 1, offset: 0, now: NOW };
        const plans = await plansOf(api, ({ db }) => listJson(db.in(WORKSPACE), list, page));
        const isSorted = plans.some((plan) => plan.includes("USE TEMP B-TREE FOR ORDER BY"));
        const isKnown = list.slowSorts?.includes(sort) ?? false;
        expect([list.table, sort, isKnown]).toEqual([list.table, sort, isSorted]);
      }
  });
});
