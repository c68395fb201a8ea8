import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { EXPENSIVE_OPERATIONS, expensiveOn, fits, SEARCHES } from "./expensive-requests.rules.ts";

type JudgedRequest = Parameters<NonNullable<ReturnType<typeof expensiveOn>>>[0];
const asked = (body: unknown, query: unknown = {}) => ({ body, query }) as JudgedRequest;

test("every operation that is called expensive exists", async () => {
  const file = new URL("./testing/lowest-roles.txt", import.meta.url);
  const operations = (await readFile(file, "utf8")).split("\n");
  const patterns = [...EXPENSIVE_OPERATIONS, ...SEARCHES];
  expect(patterns.filter((pattern) => !operations.some((it) => fits(pattern, it)))).toEqual([]);
});

test("searches of texts and alternatives are expensive, and lists by ids and states are not", () => {
  const isExpensive = expensiveOn("POST", { url: "/api/flow_runs/filter" });
  const filters: readonly (readonly [object, boolean])[] = [
    [{}, false],
    [{ flow_runs: { id: { any_: ["x"] } }, limit: 200 }, false],
    [{ flow_runs: { state: { type: { any_: ["FAILED"] } } } }, false],
    [{ flow_runs: { operator: "and_", name: { like_: null } } }, false],
    [{ flow_runs: { name: { like_: "abc" } } }, true],
    [{ flow_runs: { operator: "or_", id: { any_: ["x"] } } }, true],
    [{ logs: { text: { query: "boom" } } }, true],
    [{ limit: 201 }, true],
  ];
  for (const [body, is] of filters)
    expect(isExpensive?.(asked(body)), JSON.stringify(body)).toBe(is);
});

test("a long list is expensive by its query, and its route says whether it can be long", () => {
  const listOf = (maximum: number) => ({ properties: { limit: { maximum } } });
  const route = { url: "/uptime/api/monitors/:id/results", schema: { querystring: listOf(1000) } };
  const isExpensive = expensiveOn("GET", route);
  expect(isExpensive?.(asked(null, { limit: 1000 }))).toBe(true);
  expect(isExpensive?.(asked(null, { limit: 200 }))).toBe(false);
  expect(expensiveOn("GET", { ...route, schema: { querystring: listOf(200) } })).toBeNull();
});

test("exports, previews and bulk operations are expensive whatever is asked, and states and polls never are", () => {
  for (const [method, url] of [
    ["POST", "/api/flow_runs/bulk_delete"],
    ["POST", "/api/deployments/:id/schedules/preview"],
    ["GET", "/uptime/api/export"],
  ] as const)
    expect(expensiveOn(method, { url })?.(asked(null))).toBe(true);
  for (const [method, url] of [
    ["POST", "/api/flow_runs/:id/set_state"],
    ["POST", "/api/work_pools/:name/get_scheduled_flow_runs"],
    ["POST", "/api/logs/"],
    ["GET", "/api/flow_runs/:id"],
  ] as const)
    expect(expensiveOn(method, { url })).toBeNull();
});
