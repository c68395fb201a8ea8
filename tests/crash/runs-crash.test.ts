// Kills the server while runs go through their lives, and compares what it said with what it kept.
import { setTimeout as sleep } from "node:timers/promises";
import { rounds, startPostgres } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { type HttpClient, httpClient } from "../support/http-client.ts";
import { freshSeed, seededRandom } from "../support/random.ts";
import { type ServerOptions, startReadyServer } from "../support/server-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { untilTrue } from "../support/until.ts";

const ROUNDS = Number(process.env["RUN_CRASH_ROUNDS"] ?? rounds(2, 4));
const SEED = Number(process.env["CRASH_SEED"] ?? freshSeed());
const CLIENTS = 8;
const TIMEOUT_MS = 60_000 + ROUNDS * 30_000;
const LIFE = ["PENDING", "RUNNING", "COMPLETED"] as const;

interface State {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
}

/** What the server said of a run: the states it acknowledged, in order. */
type Ledger = Map<string, State[]>;

/** Creates runs and takes each through its life until the server is gone. */
async function live(client: HttpClient, flowId: string, ledger: Ledger): Promise<void> {
  for (;;) {
    const created = await client.send("POST", "/api/flow_runs/", {
      flow_id: flowId,
      state: { type: "SCHEDULED" },
    });
    expect(created.status).toBe(201);
    const { id, state } = created.json<{ id: string; state: State }>();
    const states = [state];
    ledger.set(id, states);
    for (const type of LIFE) {
      const answer = await client.send("POST", `/api/flow_runs/${id}/set_state`, {
        state: { type },
      });
      const result = answer.json<{ status: string; state: State }>();
      expect(result.status).toBe("ACCEPT");
      states.push(result.state);
    }
  }
}

/** What does not agree between what was said and what is kept. */
async function disagreements(client: HttpClient, ledger: Ledger): Promise<string[]> {
  const problems: string[] = [];
  for (const [id, said] of ledger) {
    const run = (await client.get(`/api/flow_runs/${id}`)).json<{
      state: State;
      run_count: number;
    }>();
    const kept = (await client.get(`/api/flow_run_states/?flow_run_id=${id}`)).json<State[]>();
    const isPrefix = said.every((state, index) => kept[index]?.id === state.id);
    if (!isPrefix) problems.push(`${id}: said ${types(said)}, kept ${types(kept)}`);
    // At most the one answer that did not arrive.
    if (kept.length > said.length + 1) problems.push(`${id}: more states than were asked for`);
    if (run.state.id !== kept.at(-1)?.id) problems.push(`${id}: is not in its last state`);
    if (new Set(kept.map(({ type }) => type)).size !== kept.length)
      problems.push(`${id}: a state twice`);
    if (run.run_count !== kept.filter(({ type }) => type === "RUNNING").length) {
      problems.push(`${id}: counted ${run.run_count} executions`);
    }
  }
  return problems;
}

const types = (states: readonly State[]): string => states.map(({ type }) => type).join(",");

async function killAgainAndAgain(options: ServerOptions): Promise<void> {
  const random = seededRandom(SEED);
  let total = 0;
  for (let round = 1; round <= ROUNDS; round += 1) {
    const ledger: Ledger = new Map();
    {
      await using server = await startReadyServer(options);
      using client = httpClient(server.url);
      const flow = await client.send("POST", "/api/flows/", { name: "etl" });
      const { id: flowId } = flow.json<{ id: string }>();
      const lives = Array.from({ length: CLIENTS }, () => live(client, flowId, ledger));
      const ended = Promise.allSettled(lives);
      await untilTrue("a run is acknowledged", () => ledger.size > 0);
      await sleep(random.integer(0, 700));
      server.kill("SIGKILL");
      await server.exited;
      await ended;
    }
    await using server = await startReadyServer(options);
    using client = httpClient(server.url);
    expect(await disagreements(client, ledger), `CRASH_SEED=${SEED}, round ${round}`).toEqual([]);
    total += ledger.size;
  }
  console.log(`CRASH_SEED=${SEED}: ${ROUNDS} crashes, ${total} runs, none lost a state`);
}

test("keeps every acknowledged state of every run when it is killed [sqlite]", {
  timeout: TIMEOUT_MS,
}, async () => {
  await using folder = await temporaryFolder();
  await killAgainAndAgain({ home: folder.path });
});

test("keeps every acknowledged state of every run when it is killed [postgres]", {
  timeout: TIMEOUT_MS,
}, async () => {
  await using folder = await temporaryFolder();
  await using postgres = await startPostgres({ durable: true });
  await killAgainAndAgain({ home: folder.path, databaseUrl: postgres.url });
});
