// A worker that waits at one server hears of a run that another one was given.
import { expect, test } from "vitest";
import type { HttpClient } from "../support/http-client.ts";
import { startSeveral } from "../support/several-servers.ts";
import { retryUntil } from "../support/until.ts";

test("a worker that waits at one server gets the run that was created at another", async () => {
  await using t = await startSeveral(2);
  const [here, there] = t.clients as [HttpClient, HttpClient];
  await t.made("/work_pools/", { name: "main", type: "process" });
  const flow_id = await t.made("/flows/", { name: "etl" });
  const deployment = { name: "d", flow_id, work_pool_name: "main", concurrency_limit: 1 };
  const path = `/deployments/${await t.made("/deployments/", deployment)}/create_flow_run`;

  const poll = async (): Promise<string[]> => {
    const request = { wait_seconds: 30, limit: 1 };
    const answer = await there.send(
      "POST",
      "/api/work_pools/main/get_scheduled_flow_runs",
      request,
    );
    return answer.json<{ flow_run: { id: string } }[]>().map(({ flow_run }) => flow_run.id);
  };
  const propose = async (id: string, type: string) =>
    (await here.send("POST", `/api/flow_runs/${id}/set_state`, { state: { type } })).json<{
      status: string;
    }>().status;
  let polled: string | null = null;
  /** That somebody has asked is written down a moment later. */
  const untilWaiting = () =>
    retryUntil(async () => {
      const queue = await here.get("/api/work_pools/main/queues/default");
      const { last_polled } = queue.json<{ last_polled: string | null }>();
      expect(last_polled).not.toBe(polled);
      polled = last_polled;
    });

  const created = poll();
  await untilWaiting();
  const first = await t.made(path, {});
  expect(await created).toEqual([first]);

  expect(await propose(first, "PENDING")).toBe("ACCEPT");
  const second = await t.made(path, {});
  expect(await propose(second, "PENDING")).toBe("REJECT");
  const freed = poll();
  await untilWaiting();
  expect(await propose(first, "COMPLETED")).toBe("ACCEPT");
  expect(await freed).toEqual([second]);
});
