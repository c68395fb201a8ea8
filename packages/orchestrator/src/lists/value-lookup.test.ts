import { expect, test } from "vitest";
import { fillTable } from "../testing/many-rows.ts";
import { describeEachApi, type TestApi } from "../testing.ts";

type Body = Record<string, unknown>;

const AUTOMATION = "00000000-0000-4000-8000-0000000000aa";

const BY_AUTOMATION = {
  "prefect-automation-id": AUTOMATION,
  "prefect-automation-name": btoa("night watch"),
};

/** More than are looked up. */
const MANY = 5100;

/**
 * By their names: a and b have the versions `many` and `few`, c was made by an automation, d has
 * nothing, and z… are like a.
 */
async function createRuns(api: TestApi): Promise<void> {
  const flow = await api.post("/flows/", { name: "etl" });
  const flow_id = (flow.body as { id: string }).id;
  const versions = { a: "many", b: "few", c: null, d: null };
  for (const [name, flow_version] of Object.entries(versions)) {
    const headers = name === "c" ? BY_AUTOMATION : {};
    const body = { flow_id, name, flow_version };
    const made = await api.request("POST", "/flow_runs/", { headers, body });
    expect(made.status).toBe(201);
  }
  await fillTable(
    api,
    MANY,
    ({ id, numbers }) => `
      insert into flow_runs (id, workspace_id, created, updated, name, flow_id, parameters, context, empirical_policy, tags,
        labels, state_type, state_name, run_count, expected_start_time, total_run_time, auto_scheduled, flow_version, created_by_type)
      select ${id(4, "n")}, workspace_id, created, updated, 'z' || cast(n as text), flow_id, '{}', '{}', '{}', tags, '{}', 'FAILED',
        'Failed', 0, '2020-01-01T00:00:00.' || cast(100000 + n as text) || 'Z', 0, auto_scheduled, flow_version, 'SCHEDULE'
      from ${numbers} cross join flow_runs where flow_runs.name = 'a'`,
  );
}

describeEachApi("runs found by a version or by what made them", (open) => {
  test("are those that are asked for, whether few or many have the value", async () => {
    await using api = await open({ dialect: "prefect" });
    await createRuns(api);
    const first = async (flow_runs: Body, sort = "NAME_ASC"): Promise<string[]> => {
      const { body } = await api.post("/flow_runs/filter", { flow_runs, sort, limit: 3 });
      return (body as { name: string }[]).map(({ name }) => name);
    };
    const count = async (flow_runs: Body) =>
      (await api.post("/flow_runs/count", { flow_runs })).body;
    const cases: readonly (readonly [Body, readonly string[], number])[] = [
      [{ flow_version: { any_: ["few"] } }, ["b"], 1],
      [{ flow_version: { any_: ["few", "nobody"] } }, ["b"], 1],
      [{ flow_version: { any_: ["nobody"] } }, [], 0],
      [{ flow_version: { any_: [] } }, [], 0],
      [{ flow_version: { any_: ["many"] } }, ["a", "z1", "z10"], MANY + 1],
      [{ flow_version: { any_: ["many", "few"] } }, ["a", "b", "z1"], MANY + 2],
      [{ flow_version: { any_: ["few"] }, name: { any_: ["a"] } }, [], 0],
      [{ flow_version: { any_: ["many"] }, name: { any_: ["a", "b"] } }, ["a"], 1],
      [{ operator: "or_", flow_version: { any_: ["few"] }, name: { any_: ["d"] } }, ["b", "d"], 2],
      [{ created_by: { type_: ["AUTOMATION"] } }, ["c"], 1],
      [{ created_by: { type_: ["AUTOMATION"], id_: [AUTOMATION] } }, ["c"], 1],
      [{ created_by: { type_: ["AUTOMATION"] }, flow_version: { any_: ["many"] } }, [], 0],
      [{ created_by: { type_: ["SCHEDULE"] } }, ["z1", "z10", "z100"], MANY],
      [
        { created_by: { operator: "or_", type_: ["SCHEDULE"], id_: [AUTOMATION] } },
        ["c", "z1", "z10"],
        MANY + 1,
      ],
    ];
    for (const [filter, names, all] of cases) {
      expect([filter, await first(filter)]).toEqual([filter, names]);
      expect([filter, await count(filter)]).toEqual([filter, all]);
    }
    const oldest = await first({ flow_version: { any_: ["many"] } }, "EXPECTED_START_TIME_ASC");
    expect(oldest).toEqual(["z1", "z2", "z3"]);
  });

  test("are the ones that what is related to them is found by", async () => {
    await using api = await open({ dialect: "prefect" });
    await createRuns(api);
    const flows = async (flow_version: string) => {
      const flow_runs = { flow_version: { any_: [flow_version] } };
      return (await api.post("/flows/filter", { flow_runs })).body;
    };
    for (const version of ["many", "few"])
      expect(await flows(version)).toMatchObject([{ name: "etl" }]);
    expect(await flows("nobody")).toEqual([]);
  });

  test("are those in the states that are asked for by name, usual ones and others", async () => {
    await using api = await open();
    const names = { a: "Cached", b: "Completed", c: "Completed", d: "it's odd" };
    for (const [name, state] of Object.entries(names)) {
      const body = { name, task_key: "t", dynamic_key: name };
      const made = await api.post("/task_runs/", {
        ...body,
        state: { type: "COMPLETED", name: state },
      });
      expect(made.status).toBe(201);
    }
    const named = async (...any_: readonly string[]): Promise<string[]> => {
      const filter = { task_runs: { state: { name: { any_ } } }, sort: "NAME_ASC" };
      const { body } = await api.post("/task_runs/filter", filter);
      const found = (body as { name: string }[]).map(({ name }) => name);
      expect((await api.post("/task_runs/count", filter)).body).toBe(found.length);
      return found;
    };
    expect(await named("Cached")).toEqual(["a"]);
    expect(await named("it's odd", "Cached")).toEqual(["a", "d"]);
    expect(await named("Completed")).toEqual(["b", "c"]);
    expect(await named("Completed", "Cached")).toEqual(["a", "b", "c"]);
    expect(await named("Running")).toEqual([]);
  });
});
