import type { PipelineOutcome, PipelineTarget } from "../checks/run-pipeline.ts";
import type { Pipeline } from "../engine/runs-in-flight.ts";

/** An outcome as a check would have it. */
export function anOutcome(
  status: PipelineOutcome["status"] = "up",
  more: Partial<PipelineOutcome> = {},
): PipelineOutcome {
  return {
    status,
    message: `http: ${status}`,
    elapsed_ms: 12.5,
    details: { http: { status_code: 200 } },
    authFailed: false,
    certificate_ends: null,
    inconclusive: false,
    unreachable: false,
    ...more,
  };
}

/** Targets that answer as the test says, and tell when they were asked. */
export interface ScriptedTargets {
  readonly pipeline: Pipeline;
  /** Monitor and time of each run, in order. */
  readonly runs: { readonly id: string; readonly at: string }[];
  /** The most runs of one monitor that were under way at once. */
  readonly mostAtOnce: () => number;
  /** What the targets answer from now on. */
  answer: (target: PipelineTarget) => PipelineOutcome | Promise<PipelineOutcome>;
}

export function scriptedTargets(): ScriptedTargets {
  const underWay = new Map<string, number>();
  let most = 0;
  const targets: ScriptedTargets = {
    runs: [],
    mostAtOnce: () => most,
    answer: () => anOutcome(),
    async pipeline(target, { clock, signal }) {
      const count = (underWay.get(target.id) ?? 0) + 1;
      underWay.set(target.id, count);
      most = Math.max(most, count);
      targets.runs.push({ id: target.id, at: clock.now() });
      try {
        const outcome = await targets.answer(target);
        return signal.aborted ? { ...outcome, inconclusive: true } : outcome;
      } finally {
        underWay.set(target.id, (underWay.get(target.id) ?? 1) - 1);
      }
    },
  };
  return targets;
}
