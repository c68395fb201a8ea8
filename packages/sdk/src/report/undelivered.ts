// What processes that have ended could not deliver. Whoever comes next brings it to the server.

import { mkdirSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { OrchestratorClient } from "@orchestrator/client";
import type { ExecutorEvent, LogCreate, StateCreate } from "@orchestrator/contract";
import { newId } from "../ids.ts";
import { isLapsedClaim, isTransientError } from "./connection.ts";
import { Spill } from "./spill.ts";

const MAX_ITEMS = 1000;
const MAX_BYTES = 2_000_000;
const PRIVATE = 0o600;
const PRIVATE_FOLDER = 0o700;

export interface UndeliveredState {
  readonly flow_run_id: string;
  readonly state: StateCreate;
  readonly force: boolean;
}

interface Place {
  readonly client: OrchestratorClient;
  readonly folder: string;
}

type Deliver = (lines: readonly string[]) => Promise<unknown>;

/** The end of a run that no server could be told of. */
export function storeUndeliveredState(folder: string, state: UndeliveredState): void {
  mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
  const path = join(folder, `${process.pid}-${newId()}.states`);
  writeFileSync(path, `${JSON.stringify(state)}\n`, { mode: PRIVATE });
}

/** Events before the states of runs, as they happened; what cannot be delivered stays. */
export async function deliverStoredReports({ client, folder }: Place): Promise<void> {
  const files = listLeft(folder);
  for (const kind of ["events", "logs", "states"] as const) {
    for (const name of files.filter((file) => file.endsWith(`.${kind}`))) {
      const path = claim(folder, name);
      if (path === null) continue;
      if (!(await deliverFile(path, deliverers(client)[kind]))) return;
    }
  }
}

function deliverers(client: OrchestratorClient): Record<"events" | "logs" | "states", Deliver> {
  const parse = <Item>(lines: readonly string[]) => lines.map((line) => JSON.parse(line) as Item);
  return {
    events: (lines) => client.events.create(parse<ExecutorEvent>(lines), { retries: 0 }),
    logs: (lines) => client.logs.create(parse<LogCreate>(lines), { retries: 0 }),
    async states(lines) {
      for (const { flow_run_id, state, force } of parse<UndeliveredState>(lines)) {
        await client.flowRuns.setState(flow_run_id, { state, force }, { retries: 0 });
      }
    },
  };
}

async function deliverFile(path: string, deliver: Deliver): Promise<boolean> {
  const spill = Spill.open(path);
  try {
    while (!spill.isEmpty()) {
      const lines = spill.take(MAX_ITEMS, MAX_BYTES);
      if (lines.length > 0) await deliverLines(lines, deliver);
      spill.settle();
    }
    return true;
  } catch (error) {
    spill.close();
    // What the server refuses it will refuse again: out of the way with it, but not out of sight.
    if (!isTransientError(error)) renameSync(path, `${path}.refused`);
    return !isTransientError(error);
  }
}

/** Reports about a run that others have by now are refused, and must not keep the rest away. */
async function deliverLines(lines: readonly string[], deliver: Deliver): Promise<void> {
  try {
    await deliver(lines);
  } catch (error) {
    if (!isLapsedClaim(error)) throw error;
    if (lines.length === 1) return;
    for (const line of lines) await deliverLines([line], deliver);
  }
}

function listLeft(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => isLeft(name))
      .toSorted();
  } catch {
    return []; // there is no such folder: nobody has left anything
  }
}

/**
 * States are written when they are left; events and lines of a living process are its own affair.
 */
function isLeft(name: string): boolean {
  const pid = Number.parseInt(name, 10);
  if (!/\.(?:events|logs|states)$/.test(name)) return false;
  return !isAlive(pid) || (pid === process.pid && name.endsWith(".states"));
}

function isAlive(pid: number): boolean {
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/**
 * Of several that come at the same time one gets the file; it is left to others again when this
 * process ends.
 */
function claim(folder: string, name: string): string | null {
  const mine = join(folder, name.replace(/^\d+/, String(process.pid)));
  try {
    renameSync(join(folder, name), mine);
    return mine;
  } catch {
    return null; // another process was faster
  }
}
