import { flow, getRunContext, task } from "@orchestrator/sdk";
import { expect, test } from "vitest";
import { z } from "zod";
import { retryUntil } from "../support/until.ts";
import { sdkServer } from "./support.ts";

test("a flow is a function whose calls are runs, and so are its tasks", async () => {
  await using server = await sdkServer();
  const double = task(async function double(n: number) {
    return n * 2;
  });
  const sum = flow({ name: "sum", tags: ["maths"] }, async ({ to }: { to: number }) => {
    let total = 0;
    for (let n = 1; n <= to; n += 1) total += await double(n);
    return { total, runId: getRunContext().flowRun?.id };
  });

  const { total, runId } = await sum({ to: 3 });

  expect(total).toBe(12);
  const run = await server.client.flowRuns.read(runId ?? "");
  expect(run).toMatchObject({
    state_type: "COMPLETED",
    parameters: { to: 3 },
    tags: ["maths"],
    run_count: 1,
  });
  await retryUntil(async () => {
    const tasks = await server.client.taskRuns.list({ sort: "NAME_ASC" });
    expect(tasks).toMatchObject(
      ["0", "1", "2"].map((key) => ({
        name: `double-${key}`,
        flow_run_id: run.id,
        task_key: "double",
        dynamic_key: key,
        state_type: "COMPLETED",
        run_count: 1,
      })),
    );
  });
});

test("the parameters are what the schema makes of them, and a wrong call is no run", async () => {
  await using server = await sdkServer();
  const schema = z.object({ region: z.string(), days: z.number().default(7) });
  const report = flow(
    { name: "report", parameters: schema },
    async ({ region, days }) => `${region} ${days}`,
  );
  expect(await report({ region: "eu" })).toBe("eu 7");
  // @ts-expect-error the types know it as well
  await expect(report({ region: 5 })).rejects.toMatchObject({ name: "ParameterError" });
  expect(await server.client.flowRuns.count()).toBe(1);
});

// Over a second: so long must a run take before it sends a heartbeat.
test("a run says that it is alive, and how often it will", async () => {
  await using server = await sdkServer();
  const beats = async () => {
    const filter = { event: { name: ["orchestrator.flow-run.heartbeat"] } };
    return (await server.client.events.list({ filter })).events;
  };
  const id = await flow({ name: "alive" }, async () => {
    await retryUntil(async () => expect(await beats()).not.toEqual([]));
    return getRunContext().flowRun?.id;
  })();
  expect(await beats()).toMatchObject([
    {
      resource: { "orchestrator.resource.id": `orchestrator.flow-run.${id}` },
      payload: { heartbeat_interval_seconds: 30 },
    },
  ]);
});
