import { expect, test } from "vitest";
import { addFlow, addFlowRun } from "../../testing/run-fixtures.ts";
import { describeEachApi, type TestApi } from "../../testing.ts";

const at = (hour: number): string => `2026-01-01T0${hour}:00:00.000000Z`;

async function namesIn(api: TestApi, expected_start_time: unknown): Promise<string[]> {
  const { body } = await api.post("/flow_runs/filter", {
    flow_runs: { expected_start_time },
    sort: "EXPECTED_START_TIME_ASC",
  });
  return (body as { name: string }[]).map(({ name }) => name);
}

describeEachApi("flow runs by time", (open) => {
  test("are found with since_ and until_ as with after_ and before_, both ends included", async () => {
    await using api = await open();
    const { id: flow_id } = await addFlow(api);
    for (const [hour, name] of ["zero", "one", "two", "three"].entries())
      await addFlowRun(api, { flow_id, name, expected_start_time: at(hour) });
    expect(await namesIn(api, { since_: at(1), until_: at(2) })).toEqual(["one", "two"]);
    expect(await namesIn(api, { after_: at(1), before_: at(2) })).toEqual(["one", "two"]);
    expect(await namesIn(api, { since_: at(1), before_: at(2) })).toEqual(["one", "two"]);
    expect(await namesIn(api, { since_: at(3) })).toEqual(["three"]);
    expect(await namesIn(api, { since_: null, until_: at(0) })).toEqual(["zero"]);
    expect(await namesIn(api, { operator: "or_", since_: at(3), until_: at(0) })).toEqual([
      "zero",
      "three",
    ]);
  });

  test("are refused where an end is no time, or is given by both of its names", async () => {
    await using api = await open();
    const ask = (start_time: unknown) =>
      api.post("/flow_runs/filter", { flow_runs: { start_time } });
    expect(await ask({ since_: "soon" })).toMatchObject({
      status: 422,
      body: { detail: "body.flow_runs.start_time.since_: Input should be a valid datetime" },
    });
    expect(await ask({ since_: at(1), after_: at(2) })).toMatchObject({
      status: 422,
      body: {
        detail:
          "body.flow_runs.start_time: Value error, give either 'until_' or 'before_', either 'since_' or 'after_'",
      },
    });
  });
});
