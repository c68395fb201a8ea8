// Several servers on one PostgreSQL, with nothing else between them.
import type { Database } from "@orchestrator/kernel/storage";
import { createTestPostgres } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { type HttpClient, httpClient } from "../support/http-client.ts";
import { variableStateOf } from "../support/ledger.ts";
import { readMetric } from "../support/metrics.ts";
import { loopStatuses } from "../support/ready.ts";
import { launchServer, type ServerProcess, untilReady } from "../support/server-process.ts";
import { openSecondConnection } from "../support/stored-variables.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { retryUntil } from "../support/until.ts";

/** A lease and the pause between two looks at it, several times over. */
const TAKE_OVER_MS = 20_000;
/** A lease that was not given back would mostly take longer. */
const HAND_OVER_MS = 5000;

type SchemaSession = Parameters<Parameters<Database["exclusively"]>[0]>[0];

interface Replica {
  readonly server: ServerProcess;
  readonly client: HttpClient;
}

interface Variable {
  readonly value: unknown;
  readonly tags: readonly string[];
}

/** Servers that set up one empty database, all let go in the same moment. */
async function startReplicas(count: number) {
  const folder = await temporaryFolder();
  const { url, drop } = await createTestPostgres();
  const commands = Array.from({ length: count }, (_, index) =>
    launchServer({ home: `${folder.path}/${index}`, databaseUrl: url }),
  );
  const db = openSecondConnection(url);
  const dispose = async (): Promise<void> => {
    await Promise.all(commands.map((command) => command[Symbol.asyncDispose]()));
    await db.close();
    await drop();
    await folder[Symbol.asyncDispose]();
  };
  try {
    await db.exclusively((session) => untilWaiting(session, count));
    const servers = await Promise.all(commands.map(untilReady));
    const replicas = servers.map((server) => ({ server, client: httpClient(server.url) }));
    return { replicas, db, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** Held up as they are while another replica migrates. */
async function untilWaiting(session: SchemaSession, count: number): Promise<void> {
  await retryUntil(async () => {
    await session.execute("select pg_stat_clear_snapshot()");
    const waiting = await session.rows<{ pid: number }>(
      "select pid from pg_stat_activity where application_name = 'orchestrator' and datname = current_database() and wait_event_type = 'Lock'",
    );
    expect(waiting, "servers that wait to set up the database").toHaveLength(count);
  });
}

type Replicas = Awaited<ReturnType<typeof startReplicas>>;

async function readLeases({ db }: Replicas) {
  return db.exclusively((session) =>
    session.rows<{ name: string; holder: string; token: number; is_over: boolean }>(
      `select name, holder, token, expires <= ${session.dialect.now} as is_over from leases order by name`,
    ),
  );
}

/**
 * Waits until each loop that one replica runs is run by one, and gives the replica that runs
 * `loop`.
 */
async function untilShared(t: Replicas): Promise<{ loops: string[]; runsOn: Map<string, number> }> {
  return retryUntil(async () => {
    const loops = (await readLeases(t)).map(({ name }) => name.replace("loop:", ""));
    expect(loops, "loops that hold a lease").not.toEqual([]);
    const statuses = await Promise.all(t.replicas.map(({ client }) => loopStatuses(client)));
    const runsOn = new Map<string, number>();
    for (const loop of loops) {
      const seen = statuses.map((status) => status[loop]);
      const index = seen.indexOf("ok");
      expect(seen, loop).toEqual(seen.map((_, at) => (at === index ? "ok" : "standby")));
      expect(index, `the replica that runs ${loop}`).not.toBe(-1);
      runsOn.set(loop, index);
    }
    return { loops, runsOn };
  });
}

/** The replica that runs the first loop, and the one that stands by. */
async function holderAndOther(t: Replicas): Promise<{ holder: Replica; other: Replica }> {
  const { loops, runsOn } = await untilShared(t);
  const index = runsOn.get(loops[0] ?? "") ?? 0;
  const [holder, other] = [t.replicas[index], t.replicas[1 - index]];
  if (holder === undefined || other === undefined) throw new Error("Two replicas are needed");
  return { holder, other };
}

async function untilRunsAll(t: Replicas, { client }: Replica, deadlineMs: number): Promise<void> {
  const loops = (await readLeases(t)).map(({ name }) => name.replace("loop:", ""));
  await retryUntil(async () => {
    const statuses = await loopStatuses(client);
    for (const loop of loops) expect(statuses[loop], loop).toBe("ok");
  }, deadlineMs);
}

test("servers that start in the same moment on an empty database set it up once and all serve", async () => {
  await using t = await startReplicas(3);
  const applied = await t.db.exclusively((session) =>
    session.rows<{ component: string; version: number }>(
      "select component, version from schema_migrations order by component, version",
    ),
  );
  expect(applied.filter(({ component }) => component === "orchestrator")).not.toEqual([]);
  expect(new Set(applied.map(({ component, version }) => `${component} ${version}`)).size).toBe(
    applied.length,
  );
  for (const { client } of t.replicas) {
    expect((await client.get("/api/ready")).status).toBe(200);
    expect((await client.send("POST", "/api/variables/filter", {})).json()).toEqual([]);
  }
});

test("what one server acknowledged the other shows at once", async () => {
  await using t = await startReplicas(2);
  const [here, there] = t.replicas.map(({ client }) => client) as [HttpClient, HttpClient];
  const follow = async (name: string): Promise<void> => {
    const address = `/api/variables/name/${name}`;
    for (let step = 0; step < 10; step += 1) {
      const [writer, reader] = step % 2 === 0 ? [here, there] : [there, here];
      const content = { value: { step }, tags: [`step-${step}`] };
      const written =
        step === 0
          ? await writer.send("POST", "/api/variables/", { name, ...content })
          : await writer.send("PATCH", address, content);
      expect(written.status, written.text).toBe(step === 0 ? 201 : 204);
      const read = await reader.get(address);
      expect(variableStateOf(read.json<Variable>())).toBe(variableStateOf(content));
    }
    expect((await there.send("DELETE", address)).status).toBe(204);
    expect((await here.get(address)).status).toBe(404);
  };
  await Promise.all(Array.from({ length: 20 }, (_, index) => follow(`followed-${index}`)));
});

test("of two servers that create the same name in the same moment one is told that it exists", async () => {
  await using t = await startReplicas(2);
  const race = async (name: string): Promise<string> => {
    const answers = await Promise.all(
      t.replicas.map(({ client }, value) =>
        client.send("POST", "/api/variables/", { name, value, tags: [] }),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    return `${Math.min(...statuses)} and ${Math.max(...statuses)}`;
  };
  const names = Array.from({ length: 50 }, (_, index) => `raced-${index}`);
  expect(await Promise.all(names.map(race))).toEqual(names.map(() => "201 and 409"));
});

test("each loop of one replica runs on exactly one, as readiness and metrics both tell", async () => {
  await using t = await startReplicas(2);
  const { loops, runsOn } = await untilShared(t);
  for (const loop of loops) {
    for (const [index, { client }] of t.replicas.entries()) {
      const [status, opposite] = index === runsOn.get(loop) ? ["ok", "standby"] : ["standby", "ok"];
      expect(await readMetric(client, "loop_status", { loop, status })).toBe(1);
      expect(await readMetric(client, "loop_status", { loop, status: opposite })).toBeNull();
    }
  }
});

test("a server takes over the loops of one that was killed", async () => {
  await using t = await startReplicas(2);
  const { holder, other } = await holderAndOther(t);
  const before = await readLeases(t);
  holder.server.kill("SIGKILL");
  await holder.server.exited;
  await untilRunsAll(t, other, TAKE_OVER_MS);
  const after = await readLeases(t);
  expect(new Set(after.map((lease) => lease.holder)).size).toBe(1);
  for (const [index, lease] of after.entries())
    expect(lease.token, lease.name).toBeGreaterThanOrEqual(before[index]?.token ?? 0);
  expect(after[0]?.token).toBe((before[0]?.token ?? 0) + 1);
});

test("a server that is told to stop hands its loops over at once", async () => {
  await using t = await startReplicas(2);
  const { holder, other } = await holderAndOther(t);
  const [before] = await readLeases(t);
  holder.server.kill("SIGTERM");
  expect(await holder.server.exited).toEqual({ code: 0, signal: null });
  const held = (await readLeases(t)).filter((lease) => lease.holder === before?.holder);
  expect(
    held.filter(({ is_over }) => !is_over),
    "leases not given back",
  ).toEqual([]);
  await untilRunsAll(t, other, HAND_OVER_MS);
});

test("a server that was frozen for longer than its lease stands by when it comes back", async () => {
  await using t = await startReplicas(2);
  const { holder, other } = await holderAndOther(t);
  holder.server.kill("SIGSTOP");
  await untilRunsAll(t, other, TAKE_OVER_MS);
  holder.server.kill("SIGCONT");
  const { runsOn } = await untilShared(t);
  for (const index of runsOn.values()) expect(t.replicas[index]).toBe(other);
});
