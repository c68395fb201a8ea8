// Several servers on one PostgreSQL share out runs and schedules without a word between them.
import { createTestPostgres } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { type HttpClient, httpClient } from "../support/http-client.ts";
import { startReadyServer } from "../support/server-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { retryUntil } from "../support/until.ts";

interface Created {
  readonly id: string;
}

async function startTwo() {
  const folder = await temporaryFolder();
  const { url, drop } = await createTestPostgres();
  const first = await startReadyServer({ home: `${folder.path}/1`, databaseUrl: url });
  const second = await startReadyServer({ home: `${folder.path}/2`, databaseUrl: url });
  const clients: [HttpClient, HttpClient] = [httpClient(first.url), httpClient(second.url)];
  return {
    servers: [first, second] as const,
    clients,
    async [Symbol.asyncDispose]() {
      for (const client of clients) client[Symbol.dispose]();
      await first[Symbol.asyncDispose]();
      await second[Symbol.asyncDispose]();
      await drop();
      await folder[Symbol.asyncDispose]();
    },
  };
}

async function made(client: HttpClient, path: string, body: unknown): Promise<Created> {
  const answer = await client.send("POST", `/api${path}`, body);
  expect([200, 201], answer.text).toContain(answer.status);
  return answer.json<Created>();
}

interface ScheduledRun extends Created {
  readonly created_by: { readonly id: string };
  readonly expected_start_time: string;
}

async function scheduledRuns(client: HttpClient): Promise<ScheduledRun[]> {
  const runs: ScheduledRun[] = [];
  for (let offset = 0; ; offset += 200) {
    const answer = await client.send("POST", "/api/flow_runs/filter", { limit: 200, offset });
    const page = answer.json<ScheduledRun[]>();
    runs.push(...page);
    if (page.length < 200) return runs;
  }
}

test("one of the claimants on any replica gets a run, and every run is given to one", async () => {
  await using t = await startTwo();
  const [one, two] = t.clients;
  const flow = await made(one, "/flows/", { name: "etl" });
  for (let round = 0; round < 10; round += 1) {
    const run = await made(one, "/flow_runs/", { flow_id: flow.id, state: { type: "SCHEDULED" } });
    const claims = [one, two, one, two, one, two].map((client) =>
      client.send("POST", `/api/flow_runs/${run.id}/set_state`, { state: { type: "PENDING" } }),
    );
    const answers = (await Promise.all(claims)).map(
      (answer) => answer.json<{ status: string }>().status,
    );
    expect(answers.filter((status) => status === "ACCEPT")).toHaveLength(1);
    expect(answers.filter((status) => status === "ABORT")).toHaveLength(5);
    const states = await two.get(`/api/flow_run_states/?flow_run_id=${run.id}`);
    expect(states.json<{ type: string }[]>().map(({ type }) => type)).toEqual([
      "SCHEDULED",
      "PENDING",
    ]);
  }
});

test("no scheduled time is made twice or left out, also when a replica is killed meanwhile", async () => {
  await using t = await startTwo();
  const [one, two] = t.clients;
  const flow = await made(one, "/flows/", { name: "etl" });
  const count = 40;
  for (let n = 0; n < count; n += 1) {
    const client = n % 2 === 0 ? one : two;
    const schedules = [{ schedule: { cron: "0 * * * *" }, active: true }];
    await made(client, "/deployments/", { name: `d${n}`, flow_id: flow.id, schedules });
    if (n === count / 2) {
      t.servers[0].kill("SIGKILL");
      await t.servers[0].exited;
      t.clients[0] = t.clients[1];
      break;
    }
  }
  const [survivor] = t.clients;
  for (let n = count / 2 + 1; n < count; n += 1) {
    const schedules = [{ schedule: { cron: "0 * * * *" }, active: true }];
    await made(survivor, "/deployments/", { name: `d${n}`, flow_id: flow.id, schedules });
  }
  const runs = await retryUntil(async () => {
    const found = await scheduledRuns(survivor);
    const bySchedule = new Map<string, number>();
    for (const { created_by } of found) {
      bySchedule.set(created_by.id, (bySchedule.get(created_by.id) ?? 0) + 1);
    }
    expect(bySchedule.size, "schedules with runs").toBe(count);
    expect(Math.min(...bySchedule.values()), "runs of a schedule").toBeGreaterThanOrEqual(3);
    return found;
  });
  const times = runs.map(
    ({ created_by, expected_start_time }) => `${created_by.id} ${expected_start_time}`,
  );
  expect(new Set(times).size).toBe(times.length);
});
