import { expect, test } from "vitest";
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
  return found;
}

describeEachApi("runs found by their tags", (open) => {
  test.each([
    [{ any_: ["x"] }, ["a", "b"]],
    [{ any_: ["x", "z", "nobody"] }, ["a", "b", "c"]],
    [{ any_: [] }, []],
    [{ all_: ["x", "y"] }, ["b"]],
    [{ all_: ["x", "x"] }, ["a", "b"]],
    [{ all_: [] }, ["a", "b", "c", "d"]],
    [{ all_: ["x", "nobody"] }, []],
    [{ all_: ["x"], any_: ["y"] }, ["b"]],
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
});
