// What tests of the state machine's rules share: transitions between any two types of state, and
// what a rule says to each of them.

import {
  type FlowRunPolicy,
  STATE_TYPES,
  type StateCreate,
  type StateType,
} from "@orchestrator/contract";
import { systemIds } from "@orchestrator/kernel/pure";
import type { Transaction } from "@orchestrator/kernel/storage";
import { manualClock } from "@orchestrator/kernel/testing";
import type { OrchestratorContext } from "../context.ts";
import { apiDialect, type DialectName } from "../dialect.ts";
import { applyRules, type RulesOutcome } from "../runs/orchestration/apply-rules.ts";
import type { LockedFlowRun } from "../runs/orchestration/flow-run-states.store.ts";
import { draftPolicy, type FlowRunTransition } from "../runs/orchestration/flow-run-transition.ts";
import type { From, OrchestrationRule, Transition } from "../runs/orchestration/rule.ts";
import { type RunState, receiveState } from "../runs/orchestration/run-state.ts";
import type { LockedTaskRun, ParentFlowRun } from "../runs/orchestration/task-run-states.store.ts";
import type { TaskRunTransition } from "../runs/orchestration/task-run-transition.ts";

/** When every proposal arrives. */
export const NOW = "2026-01-01T00:00:00.000000Z";
export const later = (seconds: number): string =>
  new Date(Date.parse(NOW) + seconds * 1000).toISOString().replace("Z", "000Z");

const clock = manualClock(NOW);
const ids = systemIds(clock);
const RUN_ID = ids.uuid7();
export const ANY_ID = ids.uuid4();
export const OTHER_ID = ids.uuid4();

export const ALL = STATE_TYPES;
export const FROM_ALL: readonly From[] = [...STATE_TYPES, null];
export const ENDS = ["COMPLETED", "FAILED", "CANCELLED", "CRASHED"] as const;

export function without<T>(types: readonly T[], ...left: readonly NoInfer<T>[]): T[] {
  return types.filter((type) => !left.includes(type));
}

/** Thrown by the transaction of these tests, which no rule may use that says to need none. */
class DatabaseUsed extends Error {}
const useDatabase = (): never => {
  throw new DatabaseUsed();
};
const tx = {
  get: useDatabase,
  all: useDatabase,
  run: useDatabase,
  enqueue: useDatabase,
  notify: useDatabase,
  committed: { get: useDatabase },
};

interface Pair {
  readonly from: From;
  readonly to: StateType;
}
type Details = Omit<Partial<StateCreate>, "type">;
interface Given extends Pair {
  readonly initial?: Details;
  readonly proposed?: Details;
  readonly dialect?: DialectName;
}

/** As much of a context as rules look at. */
const contextOf = (dialect: DialectName): OrchestratorContext =>
  ({ ids, clock, dialect: apiDialect(dialect, "0.0.0-test") }) as unknown as OrchestratorContext;

function transition({ from, to, initial, proposed, dialect = "orchestrator" }: Given) {
  const made = { ids, now: NOW };
  return {
    ctx: contextOf(dialect),
    tx: tx as unknown as Transaction,
    now: NOW,
    initial: from === null ? null : receiveState({ ...initial, type: from }, made),
    proposed: receiveState({ ...proposed, type: to }, made),
  };
}

export interface GivenFlowRun extends Given {
  readonly run?: Partial<LockedFlowRun>;
  readonly policy?: FlowRunPolicy;
  readonly clientVersion?: readonly number[] | null;
  readonly schedule?: FlowRunTransition["schedule"];
}

/** A proposed state of a flow run, which belongs to a deployment unless the test says otherwise. */
export function flowRun(given: GivenFlowRun): FlowRunTransition {
  const { run = {}, policy = {}, clientVersion = null, schedule = null } = given;
  const locked = { id: RUN_ID, deployment_id: ANY_ID, parent_task_run_id: null, run_count: 1 };
  const unknown = { infrastructure_pid: null, tags: "[]", created_by: null, work_queue_id: null };
  const earlier_transitions = null;
  return {
    ...transition(given),
    run: { ...locked, ...unknown, earlier_transitions, ...run } as LockedFlowRun,
    policy: draftPolicy(policy),
    schedule,
    clientVersion,
  };
}

export interface GivenTaskRun extends Given {
  readonly run?: Partial<LockedTaskRun>;
  readonly parent?: ParentFlowRun | null;
}

/** A proposed state of a task run of its own. */
export function taskRun(given: GivenTaskRun): TaskRunTransition {
  const { parent = null } = given;
  const unknown = { id: RUN_ID, flow_run_id: null, tags: "[]", empirical_policy: "{}" };
  const run = { ...unknown, run_count: 1, flow_run_run_count: 0, ...given.run } as LockedTaskRun;
  const counts = { runCount: run.run_count, flowRunRunCount: run.flow_run_run_count };
  return { ...transition(given), run, parent, counts };
}

/** What one rule alone makes of a transition, to its very end. */
export async function decide<Run, T extends Transition<Run>>(
  rule: OrchestrationRule<Run, T>,
  transition: T,
): Promise<RulesOutcome> {
  const outcome = await applyRules<Run, T>([rule], transition);
  await outcome.windUp();
  return outcome;
}

/**
 * What a rule says to every transition between two types of state, by `FROM → TO`. Transitions that
 * pass as if there were no such rule are left out.
 */
export async function verdicts<Run, T extends Transition<Run>>(
  rule: OrchestrationRule<Run, T>,
  make: (pair: Pair) => T,
): Promise<Record<string, string>> {
  const said: Record<string, string> = {};
  for (const from of FROM_ALL) {
    for (const to of ALL) {
      const verdict = await verdictOn(rule, make({ from, to }));
      if (verdict !== null) said[`${from} → ${to}`] = verdict;
    }
  }
  return said;
}

/** The same verdict on every transition from one of these types to one of those. */
export function pairs(
  from: readonly From[],
  to: readonly StateType[],
  verdict: string,
): Record<string, string> {
  const all = from.flatMap((first) => to.map((second) => [`${first} → ${second}`, verdict]));
  return Object.fromEntries(all);
}

async function verdictOn<Run, T extends Transition<Run>>(
  rule: OrchestrationRule<Run, T>,
  transition: T,
): Promise<string | null> {
  const before = sideEffects(transition);
  try {
    const { status, state } = await decide(rule, transition);
    if (status !== "ACCEPT" || state === null) return inWords(status, state);
    if (JSON.stringify(state) !== JSON.stringify(transition.proposed)) return "CHANGE";
    return sideEffects(transition) === before ? null : "NOTE";
  } catch (error) {
    if (error instanceof DatabaseUsed) return "DATABASE";
    throw error;
  }
}

const inWords = (status: string, state: RunState | null): string =>
  state === null ? status : `${status} ${state.type} ${state.name}`;

/** What rules may change beside the state: a flow run's policy, a task run's counts. */
function sideEffects(transition: object): string {
  const { policy, counts } = transition as Partial<FlowRunTransition & TaskRunTransition>;
  return JSON.stringify([policy?.current(), counts]);
}
