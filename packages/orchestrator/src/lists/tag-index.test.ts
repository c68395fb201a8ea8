import { expect, test } from "vitest";
import { fillTable } from "../testing/many-rows.ts";
import { describeEachApi, type TestApi } from "../testing.ts";

type Body = Record<string, unknown>;

async function createRuns(api: TestApi, tagged: Readonly<Record<string, readonly string[]>>) {
  const flow = await api.post("/flows/", { name: "etl" });
  const flow_id = (flow.body as { id: string }).id;
  const ids: Record<string, string> = {};
  for (const [name, tags] of Object.entries(tagged)) {
    const { body } = await api.post("/flow_runs/", { flow_id, name, tags });
    ids[name] = (body as { id: string }).id;
  }
  return ids;
}

async function names(api: TestApi, tags: Body): Promise<string[]> {
  const filter = { flow_runs: { tags }, sort: "NAME_ASC" };
  const { body } = await api.post("/flow_runs/filter", filter);
  const found = (body as { name: string }[]).map(({ name }) => name);
  expect(await api.post("/flow_runs/count", filter)).toMatchObject({ body: found.length });
  for (const sort of ["EXPECTED_START_TIME_ASC", "EXPECTED_START_TIME_DESC"]) {
    const inTime = await api.post("/flow_runs/filter", { ...filter, sort });
    const again = (inTime.body as { name: string }[]).map(({ name }) => name);
    expect(again.toSorted()).toEqual(found);
  }
  return found;
}

describeEachApi("runs found by their tags", (open) => {
  test.each([
    [{ any_: ["x"] }, ["a", "b"]],
    [{ any_: ["x", "z", "nobody"] }, ["a", "b", "c"]],
    [{ any_: ["x", "x"] }, ["a", "b"]],
    [{ all_: Array.from({ length: 30 }, (_, n) => (n < 29 ? "x" : "nobody")) }, []],
    [{ any_: [] }, []],
    [{ all_: ["x", "y"] }, ["b"]],
    [{ all_: ["x", "x"] }, ["a", "b"]],
    [{ all_: [] }, ["a", "b", "c", "d"]],
    [{ all_: ["x", "nobody"] }, []],
    [{ all_: ["x"], any_: ["y"] }, ["b"]],
    [{ all_: ["x"], any_: [] }, []],
    [{ all_: ["z"], is_null_: true, operator: "or_" }, ["c", "d"]],
  ])("are those that %j asks for", async (tags, expected) => {
    await using api = await open();
    await createRuns(api, {
      a: ["x"],
      b: ["x", "y"],
      c: ["z", "'; drop table flow_runs; --"],
      d: [],
    });
    expect(await names(api, tags)).toEqual(expected);
  });

  test("are the right ones after tags changed and runs were deleted", async () => {
    await using api = await open();
    const ids = await createRuns(api, { a: ["x"], b: ["x"], c: [] });
    await api.patch(`/flow_runs/${ids["a"]}`, { tags: ["y", "z"] });
    await api.patch(`/flow_runs/${ids["c"]}`, { tags: ["x"] });
    await api.delete(`/flow_runs/${ids["b"]}`);
    expect(await names(api, { any_: ["x"] })).toEqual(["c"]);
    expect(await names(api, { all_: ["y", "z"] })).toEqual(["a"]);
    await api.patch(`/flow_runs/${ids["a"]}`, { tags: [] });
    expect(await names(api, { any_: ["y"] })).toEqual([]);
  });

  test("come in the order of their expected start, page by page, whatever else is asked", async () => {
    await using api = await open();
    const flow = await api.post("/flows/", { name: "etl" });
    const flow_id = (flow.body as { id: string }).id;
    for (let n = 0; n < 12; n += 1) {
      const scheduled_time = `2026-11-${String(10 + ((n * 5) % 12))}T00:00:00Z`;
      const tags = n % 3 === 0 ? ["other"] : ["x"];
      const type = n % 2 === 0 ? "SCHEDULED" : "PENDING";
      const state = { type, state_details: { scheduled_time } };
      await api.post("/flow_runs/", { flow_id, name: `r${n}`, tags, state });
    }
    const listed = async (request: Body): Promise<string[]> => {
      const answer = await api.post("/flow_runs/filter", request);
      return (answer.body as { name: string }[]).map(({ name }) => name);
    };
    for (const sort of ["EXPECTED_START_TIME_ASC", "EXPECTED_START_TIME_DESC"]) {
      for (const more of [{}, { state: { type: { any_: ["SCHEDULED"] } } }]) {
        const isX = (name: string): boolean => Number(name.slice(1)) % 3 !== 0;
        const expected = (await listed({ flow_runs: more, sort })).filter(isX);
        const flow_runs = { tags: { any_: ["x"] }, ...more };
        const pages = [0, 3, 6].map((offset) => listed({ flow_runs, sort, limit: 3, offset }));
        expect((await Promise.all(pages)).flat()).toEqual(expected);
      }
    }
  });

  test("are the right ones where very many have a tag", async () => {
    await using api = await open();
    const ids = await createRuns(api, { a: ["many", "few"], b: ["many"], c: ["few"], d: [] });
    const [of, count] = [`where flow_runs.id = '${ids["b"]}'`, 5100];
    await fillTable(
      api,
      count,
      ({ id, numbers }) => `
        insert into flow_runs (id, workspace_id, created, updated, name, flow_id, parameters, context, empirical_policy, tags,
          labels, state_type, state_name, run_count, expected_start_time, total_run_time, auto_scheduled)
        select ${id(4, "n")}, workspace_id, created, updated, 'z' || cast(n as text), flow_id, '{}', '{}', '{}', tags, '{}', 'FAILED',
          'Failed', 0, '2020-01-01T00:00:00.' || cast(100000 + n as text) || 'Z', 0, auto_scheduled
        from ${numbers} cross join flow_runs ${of}`,
    );
    const first = async (path: string, body: Body): Promise<string[]> => {
      const answer = await api.post(path, { ...body, sort: "NAME_ASC", limit: 3 });
      return (answer.body as { name: string }[]).map(({ name }) => name);
    };
    const all_ = ["many", "few"];
    const counted = async (flow_runs: Body): Promise<unknown> =>
      (await api.post("/flow_runs/count", { flow_runs })).body;
    const runs = (flow_runs: Body) => first("/flow_runs/filter", { flow_runs });
    expect(await runs({ tags: { any_: ["many"] } })).toEqual(["a", "b", "z1"]);
    expect(await runs({ tags: { any_: ["many", "few"] } })).toEqual(["a", "b", "c"]);
    expect(await runs({ tags: { all_ } })).toEqual(["a"]);
    expect(await counted({ tags: { any_: ["many"] } })).toBe(count + 2);
    expect(await counted({ tags: { any_: ["many", "few"] } })).toBe(count + 3);
    expect(await counted({ tags: { all_ } })).toBe(1);
    const failed = { type: { any_: ["FAILED"] } };
    expect(await counted({ tags: { any_: ["many"] }, state: failed })).toBe(count);
    expect(await counted({ tags: { any_: ["few"] }, state: failed })).toBe(0);
    for (const tags of [{ any_: ["many"] }, { any_: ["few"] }, { all_ }])
      expect(await first("/flows/filter", { flow_runs: { tags } })).toEqual(["etl"]);
    expect(await first("/flows/filter", { flow_runs: { tags: { any_: ["no"] } } })).toEqual([]);
  });
});
