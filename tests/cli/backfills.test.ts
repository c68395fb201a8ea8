import type { Backfill, FlowRun } from "@orchestrator/contract";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type CliWorld, createCliDeployment, openCli } from "./support.ts";

const SPAN = ["--start", "2026-01-01T00:00Z", "--end", "2026-01-03T12:00Z"];
const NOBODYS = "01a1dfbd-242b-7027-b6d6-6964bc7c0f07";
let cli: CliWorld;

beforeAll(async () => {
  cli = await openCli();
});
afterAll(() => cli[Symbol.asyncDispose]());

/**
 * A deployment of its own, with a schedule `night` that has a time each day and an inactive one
 * each hour.
 */
async function addTimed(name: string): Promise<string> {
  const id = await createCliDeployment(cli, { name });
  const days = { schedule: { cron: "0 0 * * *" }, slug: "night" };
  const hours = { schedule: { cron: "0 * * * *" }, slug: "hours", active: false };
  await cli.client.deployments.createSchedules(id, [days, hours]);
  return `etl/${name}`;
}

const begin = (deployment: string, ...args: readonly string[]) =>
  cli.json<Backfill>("deployment", "backfill", deployment, ...SPAN, "-y", ...args);

const runsOf = (id: string): Promise<FlowRun[]> =>
  cli.client.flowRuns.list({ flow_runs: { created_by: { id_: [id] } } });

/** The loop of the server makes and cancels runs a moment later. */
const waitFor = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 20_000 });

describe("deployment backfill", () => {
  test("makes the runs of the past, once it may, and says how to follow them", async () => {
    const daily = await addTimed("daily");
    expect((await cli.run("deployment", "backfill", daily, ...SPAN)).code).toBe(1);
    const { code, stdout, stderr } = await cli.run("deployment", "backfill", daily, ...SPAN, "-y");
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^Backfill [\da-f-]{36} is running: 0 of 3 runs made\n$/),
    });
    const [, id = ""] = stdout.split(" ");
    expect(stderr).toContain(`orchestrator backfill inspect ${id}\n`);
  });

  test("takes the times of one schedule, by its slug or its id", async () => {
    const one = await addTimed("one");
    const hours = await begin(one, "--schedule", "hours");
    expect(hours).toMatchObject({ total: 61, schedules: [{ slug: "hours" }] });
    expect(await begin(one, "--schedule", hours.schedule_id ?? "")).toMatchObject({
      schedule_id: hours.schedule_id,
      total: 61,
    });
    const typo = ["deployment", "backfill", one, ...SPAN, "-y", "--schedule", "hour"];
    expect(await cli.run(...typo)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Did you mean hours?"),
    });
    expect(await cli.json("backfill", "ls", "--deployment", one)).toHaveLength(2);
  });

  test("begins nothing anew under a key that was given before", async () => {
    const keyed = await addTimed("keyed");
    const { id, idempotency_key } = await begin(keyed, "--idempotency-key", "january");
    expect(idempotency_key).toBe("january");
    expect((await begin(keyed, "--idempotency-key", "january")).id).toBe(id);
    expect((await begin(keyed, "--idempotency-key", "again")).id).not.toBe(id);
    expect(await cli.json("backfill", "ls", "--deployment", keyed)).toHaveLength(2);
  });

  test("is watched to its end, and ends as its runs do", async () => {
    const watched = await addTimed("watched");
    for (const [type, code] of [
      ["COMPLETED", 0],
      ["FAILED", 1],
    ] as const) {
      const { id } = await begin(watched, "--idempotency-key", type);
      await waitFor(async () => expect(await runsOf(id)).toHaveLength(3));
      for (const run of await runsOf(id))
        await cli.client.flowRuns.setState(run.id, { state: { type }, force: true });
      const watch = ["--idempotency-key", type, "--watch", "-y"];
      const done = await cli.run("deployment", "backfill", watched, ...SPAN, ...watch);
      const text = `completed: 3 of 3 runs made (3 ${type.toLowerCase()})\n`;
      expect(done).toMatchObject({ code, stdout: text });
      expect(done.stderr).toContain(`Backfill ${id} is `);
    }
  });
});

describe("backfills", () => {
  test("are listed, the latest first, those of a deployment or with a status", async () => {
    const [first, second] = [await addTimed("first"), await addTimed("second")];
    const before = await begin(first);
    const after = await begin(second);
    await cli.client.backfills.cancel(before.id);
    const rows = await cli.json<Backfill[]>("backfill", "ls", "--limit", "2");
    expect(rows.map(({ id }) => id)).toEqual([after.id, before.id]);
    const { stdout } = await cli.run("backfills", "ls");
    const line = stdout.split("\n").find((text) => text.includes(before.id));
    expect(line).toMatch(
      /^etl\/first +CANCELLED +2026-01-01T00:00Z +2026-01-03T12:00Z +\d of 3 +\d /,
    );
    const cancelled = await cli.json<Backfill[]>("backfill", "ls", "--status", "CANCELLED");
    expect(cancelled.map(({ id }) => id)).toEqual([before.id]);
    const of = ["--deployment", second];
    expect(await cli.json("backfill", "ls", ...of)).toMatchObject([{ id: after.id }]);
    expect((await cli.run("backfill", "ls", ...of, "--status", "COMPLETED")).stderr).toContain(
      "`orchestrator deployment backfill FLOW/DEPLOYMENT --start TIME` begins one",
    );
    expect((await cli.run("backfill", "ls", "--deployment", "etl/secnd")).stderr).toContain(
      "Did you mean etl/second",
    );
    expect((await cli.run("backfill", "ls", "--status", "DONE")).code).toBe(2);
  });

  test("are shown with how far they have come", async () => {
    const shown = await addTimed("shown");
    const how = ["--max-concurrent", "2", "--order", "newest-first", "--param", "day=monday"];
    const { id } = await begin(shown, ...how);
    await waitFor(async () => {
      const { stdout } = await cli.run("backfill", "inspect", id);
      expect(stdout).toContain("2 of 3 runs made");
      expect(stdout).toMatch(/^Runs +2 scheduled$/m);
      expect(stdout).toMatch(/^Next time +2026-01-01T00:00:00\.000000Z$/m);
      expect(stdout).toMatch(/^Deployment +etl\/shown$/m);
      expect(stdout).toMatch(/^Schedules +night: 0 0 \* \* \*$/m);
      expect(stdout).toContain('{"day":"monday"}');
    });
    expect(await cli.json("backfill", "inspect", id)).toMatchObject({ id, active_runs: 2 });
  });

  test("are cancelled and go on where they were, and their runs are cancelled where that is wanted", async () => {
    const { id } = await begin(await addTimed("stopped"), "--max-concurrent", "1");
    await waitFor(async () => expect(await runsOf(id)).toHaveLength(1));
    const stopped = await cli.run("backfill", "cancel", id);
    expect(stopped).toMatchObject({
      code: 0,
      stdout: `Backfill ${id} is cancelled: 1 of 3 runs made (1 scheduled)\n`,
    });
    expect(stopped.stderr).toContain("--cancel-runs cancels them, too");
    expect(stopped.stderr).toContain(`orchestrator backfill resume ${id}\n`);
    expect(await cli.json("backfill", "resume", id)).toMatchObject({ status: "RUNNING" });
    expect(await cli.json("backfill", "cancel", id, "--cancel-runs")).toMatchObject({
      status: "CANCELLED",
    });
    await waitFor(async () => {
      const [run] = await runsOf(id);
      expect(run?.state_type).toMatch(/^CANCELL/);
    });
    expect((await cli.run("backfill", "resume", id)).stdout).toContain("is running: 1 of 3");
  });

  test("that have completed are neither cancelled nor resumed", async () => {
    const { id } = await begin(await addTimed("over"));
    await waitFor(async () => expect(await runsOf(id)).toHaveLength(3));
    for (const run of await runsOf(id))
      await cli.client.flowRuns.setState(run.id, { state: { type: "COMPLETED" }, force: true });
    await waitFor(async () =>
      expect(await cli.client.backfills.read(id)).toMatchObject({ status: "COMPLETED" }),
    );
    for (const verb of ["cancel", "resume"])
      expect(await cli.run("backfill", verb, id)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("has completed"),
      });
  });

  test("that are not there are answered with where to look", async () => {
    for (const verb of ["inspect", "cancel", "resume"]) {
      expect(await cli.run("backfill", verb, NOBODYS)).toMatchObject({
        code: 1,
        stdout: "",
        stderr: expect.stringContaining(`There is no backfill ${NOBODYS}. \`orchestrator backfill`),
      });
      expect(await cli.run("backfill", verb, "nightly")).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("nightly is no id"),
      });
    }
  });
});
