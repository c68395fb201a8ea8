// What it costs to have deployments scheduled. First the hour ahead: made once without and once
// with a schedule, the difference is the scheduler's. Then to keep it that way as time passes, with
// all that a server does about such runs by itself, when nobody claims them.
import { setTimeout as sleep } from "node:timers/promises";
import { postPatiently } from "./runs-fixture.mjs";

const MINUTELY_RUNS = { deployments: { name: { like_: "minutely" } } };
const MINUTELY = { cron: "* * * * *", timezone: "UTC" };
/** An hour ahead is filled, less what passes meanwhile. */
const RUNS_EACH = 50;
const PATIENCE_SECONDS = 400;
const LOOK_MS = 1000;
const STEADY_LOOKS = 3;
/** Twice what any of the servers lets pass between two looks at its schedules. */
const KEPT_SECONDS = 125;

const areMinutely = new WeakSet();

/**
 * CPU per run that was made for the minutes that have come into sight, as the only round of a
 * measurement.
 */
export async function measureScheduledRuns(server, options) {
  if (!areMinutely.has(server)) await measureSchedules(server, options);
  const count = async () => (await server.post("/api/flow_runs/count", MINUTELY_RUNS)).json();
  const before = await count();
  const cpuSeconds = await spend(server, options.idle, () => sleep(KEPT_SECONDS * 1000));
  const made = (await count()) - before;
  return [
    {
      cpuMicros: (cpuSeconds / made) * 1e6,
      perSecond: made / KEPT_SECONDS,
      requests: made,
      errors: {},
    },
  ];
}

/** CPU per run that the scheduler made, as the only round of a measurement. */
export async function measureSchedules(server, { deployments, idle }) {
  const { flowId } = server.fixture;
  await createAll(server, { deployments: Math.ceil(deployments / 10), flowId, prefix: "warm-up" });
  await server.quiet?.();
  const bare = await spend(server, idle, async () => {
    await createAll(server, { deployments, flowId, prefix: "unscheduled" });
    await server.quiet?.();
  });
  const before = await countScheduled(server);
  const started = performance.now();
  let made = 0;
  const full = await spend(server, idle, async () => {
    await createAll(server, { deployments, flowId, prefix: "minutely", schedules: [MINUTELY] });
    made = (await untilFilled(server, before, deployments * RUNS_EACH)) - before;
    await server.quiet?.();
  });
  areMinutely.add(server);
  const seconds = (performance.now() - started) / 1000;
  return [
    {
      cpuMicros: ((full - bare) / made) * 1e6,
      perSecond: made / seconds,
      requests: made,
      errors: {},
    },
  ];
}

/** CPU seconds of the server while something is done, less what it would have used anyway. */
async function spend(server, idle, task) {
  const [before, started] = [await server.cpuSeconds(), performance.now()];
  await task();
  const seconds = (performance.now() - started) / 1000;
  return (await server.cpuSeconds()) - before - seconds * idle;
}

async function createAll(server, { deployments, flowId, prefix, schedules = [] }) {
  let next = 0;
  const createSome = async () => {
    while (next < deployments) {
      const body = {
        name: `${prefix}-${next++}`,
        flow_id: flowId,
        schedules: schedules.map((schedule) => ({ schedule, active: true })),
      };
      await postPatiently(server, "/api/deployments/", body);
    }
  };
  await Promise.all(Array.from({ length: server.connections ?? 16 }, createSome));
}

async function untilFilled(server, before, expected) {
  let [last, steady] = [before, 0];
  for (let look = 0; look < PATIENCE_SECONDS && steady < STEADY_LOOKS; look += 1) {
    await sleep(LOOK_MS);
    const count = await countScheduled(server);
    steady = count === last && count - before >= expected ? steady + 1 : 0;
    last = count;
  }
  if (last - before < expected) throw new Error(`${server.name}: only ${last - before} runs made`);
  return last;
}

async function countScheduled(server) {
  const filter = { flow_runs: { state: { type: { any_: ["SCHEDULED"] } } } };
  return (await server.post("/api/flow_runs/count", filter)).json();
}
