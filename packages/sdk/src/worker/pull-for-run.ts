import type { FlowRun } from "@orchestrator/contract";
import { jobOutput } from "./output.ts";
import { pullCode } from "./pull/pull-code.ts";
import { environmentSecrets, Redaction } from "./pull/redaction.ts";
import type { WorkerJob } from "./runner.ts";
import type { WorkerScope } from "./worker-scope.ts";

const FLUSH_MS = 10_000;

interface RunToPull {
  readonly run: FlowRun;
  readonly job: WorkerJob;
  /** Fires when the run is to end. */
  readonly signal: AbortSignal;
}

interface PulledJob {
  readonly job: WorkerJob;
  readonly release: () => void;
}

/** Brings the code of a run into a folder; what the steps print is kept with the run. */
export async function pullForRun(
  { session, code: cache, show }: WorkerScope,
  { run, job, signal }: RunToPull,
): Promise<PulledJob> {
  if (job.pull == null) return { job, release: () => {} };
  const output = jobOutput(session, run, show === null ? null : (text) => show(run.name, text));
  const redaction = new Redaction();
  redaction.add(environmentSecrets(job.env));
  const say = (text: string): void => output.onLine("stdout", redaction.apply(text));
  try {
    const around = { cache, redaction, env: job.env, signal, say };
    const { folder, release } = await pullCode(job.pull, around);
    return { job: { ...job, folder }, release };
  } catch (error) {
    await session.logs.flush(FLUSH_MS);
    throw error;
  }
}
