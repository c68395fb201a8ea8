// Kills the server while events, states and automations flow: no acknowledged event is lost, each
// firing is acted on once.
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { rounds, startPostgres } from "@orchestrator/kernel/testing";
import { describe, expect, test } from "vitest";
import { type HttpClient, httpClient } from "../support/http-client.ts";
import { freshSeed, type Random, seededRandom } from "../support/random.ts";
import { type ServerOptions, startReadyServer } from "../support/server-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { untilTrue } from "../support/until.ts";

const ROUNDS = Number(process.env["AUTOMATION_CRASH_ROUNDS"] ?? rounds(1, 3));
const SEED = Number(process.env["CRASH_SEED"] ?? freshSeed());
/** What a server had in its hands when it died is taken up a minute later. */
const SETTLED_MS = 120_000;
const TIMEOUT_MS = 60_000 + SETTLED_MS + ROUNDS * 30_000;
const LIFE = ["PENDING", "RUNNING", "COMPLETED"] as const;
const OF_THREE = 3;
/** So many events are acknowledged before the server is killed. */
const FLOWING = 20;

interface Kept {
  readonly id: string;
  readonly event: string;
  readonly resource: Readonly<Record<string, string>>;
  readonly payload: {
    readonly triggering_event?: { readonly id: string } | null;
    readonly invocation?: string;
  };
}

/** What the server has acknowledged. */
interface Ledger {
  readonly events: Set<string>;
  readonly completed: Set<string>;
}

const reactive = (expected: string, more: object = {}) => ({
  type: "event",
  posture: "Reactive",
  expect: [expected],
  threshold: 1,
  within: 0,
  ...more,
});

interface Things {
  readonly flowId: string;
  readonly deploymentId: string;
}

/**
 * Every event starts a run, every third about the same thing and every completed run is told of.
 */
async function setUp(client: HttpClient): Promise<Things> {
  const create = async (path: string, body: object): Promise<string> => {
    const answer = await client.send("POST", path, body);
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.json<{ id: string }>().id;
  };
  const flowId = await create("/api/flows/", { name: "etl" });
  const deploymentId = await create("/api/deployments/", { name: "answer", flow_id: flowId });
  const automation = (name: string, trigger: object, actions: readonly object[]) =>
    create("/api/automations/", { name, trigger, actions });
  await automation("answer", reactive("x.single"), [
    {
      type: "run-deployment",
      deployment_id: deploymentId,
      parameters: { about: "{{ event.id }}" },
    },
  ]);
  await automation(
    "thirds",
    reactive("x.third", { threshold: OF_THREE, within: 3600, for_each: ["thing"] }),
    [{ type: "do-nothing" }],
  );
  await automation("completed", reactive("prefect.flow-run.Completed"), [{ type: "do-nothing" }]);
  return { flowId, deploymentId };
}

const happening = (event: string, thing: string) => ({
  id: randomUUID(),
  occurred: new Date().toISOString(),
  event,
  resource: { "prefect.resource.id": `thing.${thing}`, thing },
});

/** Sends events until the server is gone. */
async function sendEvents(client: HttpClient, random: Random, ledger: Ledger): Promise<void> {
  for (;;) {
    const thing = randomUUID();
    const singles = Array.from({ length: random.integer(1, 4) }, () =>
      happening("x.single", thing),
    );
    const thirds = Array.from({ length: OF_THREE }, () => happening("x.third", thing));
    for (const batch of [singles, thirds.slice(0, 1), thirds.slice(1)]) {
      const answer = await client.send("POST", "/api/events", batch);
      expect(answer.status).toBe(204);
      for (const { id } of batch) ledger.events.add(id);
    }
  }
}

/** Takes runs through their lives until the server is gone. */
async function liveRuns(client: HttpClient, flowId: string, ledger: Ledger): Promise<void> {
  for (;;) {
    const created = await client.send("POST", "/api/flow_runs/", { flow_id: flowId });
    expect(created.status).toBe(201);
    const { id } = created.json<{ id: string }>();
    for (const type of LIFE) {
      const body = { state: { type } };
      const answer = await client.send("POST", `/api/flow_runs/${id}/set_state`, body);
      const { status, state } = answer.json<{ status: string; state: { id: string } }>();
      expect(status).toBe("ACCEPT");
      if (type === "COMPLETED") ledger.completed.add(state.id);
    }
  }
}

/** Every event of a name that the server has. */
async function eventsOf(client: HttpClient, name: string): Promise<Kept[]> {
  const filter = { event: { name: [name, name.replace("prefect.", "orchestrator.")] } };
  const found: Kept[] = [];
  let answer = await client.send("POST", "/api/events/filter", { filter, limit: 200 });
  for (;;) {
    const { events, next_page } = answer.json<{ events: Kept[]; next_page: string | null }>();
    found.push(...events);
    if (next_page === null) return found;
    const { pathname, search } = new URL(next_page);
    answer = await client.get(pathname + search);
  }
}

/** Which events the runs of the deployment are about. */
async function answered(client: HttpClient, deploymentId: string): Promise<string[]> {
  const about: string[] = [];
  for (let offset = 0; ; offset += 200) {
    const answer = await client.send("POST", "/api/flow_runs/filter", {
      flow_runs: { deployment_id: { any_: [deploymentId] } },
      sort: "ID_DESC",
      limit: 200,
      offset,
    });
    const runs = answer.json<{ readonly parameters: { readonly about: string } }[]>();
    about.push(...runs.map(({ parameters }) => parameters.about));
    if (runs.length < 200) return about;
  }
}

const sorted = (texts: Iterable<string>): string[] => [...texts].sort();

interface Outcome {
  readonly singles: readonly Kept[];
  readonly thirds: readonly Kept[];
  readonly completed: readonly Kept[];
  readonly triggered: readonly Kept[];
  readonly executed: readonly Kept[];
  readonly failed: readonly Kept[];
}

async function outcome(client: HttpClient): Promise<Outcome> {
  return {
    singles: await eventsOf(client, "x.single"),
    thirds: await eventsOf(client, "x.third"),
    completed: await eventsOf(client, "prefect.flow-run.Completed"),
    triggered: await eventsOf(client, "prefect.automation.triggered"),
    executed: await eventsOf(client, "prefect.automation.action.executed"),
    failed: await eventsOf(client, "prefect.automation.action.failed"),
  };
}

/** The things that have had all of their events; others wait for more. */
function wholeThings(thirds: readonly Kept[]): number {
  const counts = new Map<string, number>();
  for (const { resource } of thirds) {
    const thing = resource["thing"] ?? "";
    counts.set(thing, (counts.get(thing) ?? 0) + 1);
  }
  return [...counts.values()].filter((count) => count === OF_THREE).length;
}

/** Until every firing that there has to be has been acted on. */
async function settled(client: HttpClient): Promise<Outcome> {
  const deadline = performance.now() + SETTLED_MS;
  for (;;) {
    const seen = await outcome(client);
    const { singles, thirds, completed, executed } = seen;
    const expected = singles.length + wholeThings(thirds) + completed.length;
    if (executed.length >= expected || performance.now() > deadline) return seen;
    await sleep(1000);
  }
}

async function check(client: HttpClient, deploymentId: string, ledger: Ledger): Promise<void> {
  const { singles, thirds, completed, triggered, executed, failed } = await settled(client);
  const about = `CRASH_SEED=${SEED}`;
  const kept = new Set([...singles, ...thirds].map(({ id }) => id));
  expect(
    [...ledger.events].filter((id) => !kept.has(id)),
    `${about}: acknowledged events that are gone`,
  ).toEqual([]);
  const ended = new Set(completed.map(({ id }) => id));
  expect(
    [...ledger.completed].filter((id) => !ended.has(id)),
    `${about}: acknowledged states without an event`,
  ).toEqual([]);
  expect(failed.map(({ payload }) => payload)).toEqual([]);
  const firedFor = (events: readonly Kept[]): string[] => {
    const ids = new Set(events.map(({ id }) => id));
    return sorted(
      triggered.flatMap(({ payload }) => {
        const id = payload.triggering_event?.id ?? "";
        return ids.has(id) ? [id] : [];
      }),
    );
  };
  expect(firedFor(singles), `${about}: firings for single events`).toEqual(
    sorted(singles.map(({ id }) => id)),
  );
  expect(firedFor(completed), `${about}: firings for completed runs`).toEqual(sorted(ended));
  expect(firedFor(thirds).length, `${about}: firings for every third event`).toBe(
    wholeThings(thirds),
  );
  expect(executed.length, `${about}: actions`).toBe(triggered.length);
  expect(new Set(executed.map(({ payload }) => payload.invocation)).size).toBe(executed.length);
  expect(sorted(await answered(client, deploymentId)), `${about}: runs that were started`).toEqual(
    sorted(singles.map(({ id }) => id)),
  );
  console.log(
    `${about}: ${ROUNDS} crashes, ${kept.size} events, ${triggered.length} firings, each acted on once`,
  );
}

async function killAgainAndAgain(options: ServerOptions): Promise<void> {
  const random = seededRandom(SEED);
  const ledger: Ledger = { events: new Set(), completed: new Set() };
  let things: Things | null = null;
  for (let round = 1; round <= ROUNDS; round += 1) {
    await using server = await startReadyServer(options);
    using client = httpClient(server.url);
    things ??= await setUp(client);
    const { flowId } = things;
    const flows = [
      ...Array.from({ length: 3 }, () => sendEvents(client, random, ledger)),
      ...Array.from({ length: 3 }, () => liveRuns(client, flowId, ledger)),
    ];
    const ended = Promise.allSettled(flows);
    const before = ledger.events.size;
    await untilTrue("events flow", () => ledger.events.size > before + FLOWING);
    await sleep(random.integer(0, 600));
    server.kill("SIGKILL");
    await server.exited;
    await ended;
  }
  expect(ledger.events.size, "acknowledged events").toBeGreaterThan(0);
  await using server = await startReadyServer(options);
  using client = httpClient(server.url);
  await check(client, things?.deploymentId ?? "", ledger);
}

// Most of the time is spent waiting, so the engines may share it.
describe.concurrent("when it is killed while events, states and automations flow", () => {
  test("no acknowledged event is lost and each firing is acted on once [sqlite]", {
    timeout: TIMEOUT_MS,
  }, async () => {
    await using folder = await temporaryFolder();
    await killAgainAndAgain({ home: folder.path });
  });

  test("no acknowledged event is lost and each firing is acted on once [postgres]", {
    timeout: TIMEOUT_MS,
  }, async () => {
    await using folder = await temporaryFolder();
    await using postgres = await startPostgres({ durable: true });
    await killAgainAndAgain({ home: folder.path, databaseUrl: postgres.url });
  });
});
