// What a worker has under way, written down: when it was killed, the next one on this machine
// clears up behind it.

import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { leaderWith, processStartOf } from "./process-group.ts";

/** A process, told from a later one with the same number. */
export interface ProcessRecord {
  readonly pid: number;
  readonly start: string | null;
}

/** A run may come back to a machine: each claim of it has a note of its own. */
interface Claim {
  readonly flow_run_id: string;
  readonly claim_id: string | null;
}

export interface JobRecord extends Claim {
  readonly is_self_reporting: boolean;
  /** Process numbers mean something on one machine, or in one container, only. */
  readonly host: string;
  readonly worker: ProcessRecord;
  /** Of the worker, and where the job is, once it was started. */
  readonly type: string;
  readonly identifier: string | null;
  /** The leader of the job's process group, if it was started as a process. */
  readonly process: ProcessRecord | null;
}

const PRIVATE = 0o600;

/** What a job has in its environment that no other one has. */
export const jobEnvironmentMarker = ({
  flow_run_id,
  claim_id,
}: Claim): Readonly<Record<string, string>> => ({
  ORCHESTRATOR_FLOW_RUN_ID: flow_run_id,
  ORCHESTRATOR_CLAIM_ID: claim_id ?? "",
});

export const processRecord = (pid: number): ProcessRecord => ({ pid, start: processStartOf(pid) });

/**
 * Whether it is that process that runs now. Where nobody can say when it started, its number must
 * do.
 */
export function isSameProcess({ pid, start }: ProcessRecord): boolean {
  if (start !== null) return processStartOf(pid) === start;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/**
 * A worker that was killed between starting a process and writing it down left one that only its
 * environment tells of.
 */
function withProcess(note: JobRecord): JobRecord {
  if (note.process !== null || note.identifier !== null) return note;
  const leader = leaderWith(jobEnvironmentMarker(note));
  return leader === null ? note : { ...note, process: processRecord(leader) };
}

export class JobRecords {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  write(note: JobRecord): void {
    const path = this.#pathOf(note);
    // Whoever is killed on the way leaves the note of before, and never half of one.
    writeFileSync(`${path}.new`, JSON.stringify(note), { mode: PRIVATE });
    renameSync(`${path}.new`, path);
  }

  remove(claim: Claim): void {
    rmSync(this.#pathOf(claim), { force: true });
  }

  /** Those of workers that are gone. */
  leftBehind(): JobRecord[] {
    return readdirSync(this.#folder)
      .flatMap((name) => (name.endsWith(".json") ? this.#read(name) : []))
      .filter(({ host, worker }) => host === hostname() && !isSameProcess(worker))
      .map(withProcess);
  }

  #read(name: string): JobRecord | [] {
    try {
      return JSON.parse(readFileSync(join(this.#folder, name), "utf8")) as JobRecord;
    } catch {
      return []; // it was removed in this moment
    }
  }

  #pathOf({ flow_run_id, claim_id }: Claim): string {
    return join(this.#folder, `${flow_run_id}.${claim_id ?? "unclaimed"}.json`);
  }
}
