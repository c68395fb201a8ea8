// A run as it goes: its states, its log lines, how far its tasks are, and why it waits. Nothing
// here changes the run.

import type { FlowRun, State, StateType } from "@orchestrator/contract";
import { exitInterrupted, onInterrupt, waitUnlessAborted } from "../../io/interrupt.ts";
import { isPassing } from "../../io/passing.ts";
import { printJson, say } from "../../io/print.ts";
import type { CliSession } from "../../io/session.ts";
import { type LiveLine, liveLine } from "../../output/live-line.ts";
import { clock, logText } from "../../output/log-line.ts";
import { dim, stateText } from "../../output/style.ts";
import { formatDuration } from "../../output/time.ts";
import { blockerText } from "./explain.ts";
import { followLogs, followToEnd, printOnce } from "./follow-logs.ts";
import { hasRunEnded } from "./states.ts";

const ASK_MS = 500;
/** A worker takes a run within moments; after so long people ask themselves why it does not. */
const PATIENCE_MS = 3000;

/**
 * Shows a run to its end; the exit code says whether it completed. With --json only what it has
 * become.
 */
export async function watchRun(session: CliSession, run: FlowRun): Promise<void> {
  const { signal } = onInterrupt();
  const watcher = session.json ? silent : createWatcher(session, run);
  let last = run;
  const untilEnded = async (either: AbortSignal): Promise<void> => {
    for (; !either.aborted; await waitUnlessAborted(ASK_MS, either)) {
      try {
        last = await session.client.flowRuns.read(run.id);
        if (hasRunEnded(last)) return;
        await watcher.show(last);
      } catch (error) {
        // A server that is away for a while does not end the watching.
        if (!isPassing(error)) throw error;
        watcher.note(`${error.message}; trying again`);
      }
    }
  };
  try {
    await followToEnd({ follow: watcher.followLogs, untilEnded }, signal);
  } catch (error) {
    watcher.stop();
    throw error;
  }
  if (signal.aborted) return leave(watcher, last, signal);
  await watcher.finish(last);
  if (session.json) printJson(last);
  if (last.state_type !== "COMPLETED") process.exitCode = 1;
}

function leave(watcher: Watcher, run: FlowRun, signal: AbortSignal): void {
  watcher.stop();
  exitInterrupted(
    signal,
    `Stopped watching; ${run.name} goes on. To see it again: orchestrator flow-run watch ${run.id}`,
  );
}

interface Watcher {
  readonly followLogs: (ended: AbortSignal, signal: AbortSignal) => Promise<void>;
  readonly show: (run: FlowRun) => Promise<void>;
  readonly note: (text: string) => void;
  readonly finish: (run: FlowRun) => Promise<void>;
  readonly stop: () => void;
}

const silent: Watcher = {
  followLogs: () => Promise.resolve(),
  show: () => Promise.resolve(),
  note: () => {},
  finish: () => Promise.resolve(),
  stop: () => {},
};

function createWatcher(session: CliSession, { id, name }: FlowRun): Watcher {
  const line = liveLine();
  const story = createStory(line);
  const states = createStates(session, id, story);
  const tasks = createTasks(session, id, line);
  const waiting = createWaiting(session, id, line);
  let noted = "";
  const note = (text: string): void => {
    if (text !== noted) say(text);
    noted = text;
  };
  return {
    note,
    followLogs: (ended, signal) =>
      followLogs(
        session,
        { flow_run_id: { any_: [id] } },
        {
          show: printOnce((row) => story.add(row.timestamp, logText(row))),
          backfill: true,
          ended,
          signal,
        },
      ),
    async show(run) {
      noted = "";
      await states.show(run);
      story.tell();
      const progress = await tasks.show(run);
      const since =
        run.start_time === null ? "" : ` · ${formatDuration(secondsSince(run.start_time))}`;
      line.set(`${name} · ${run.state_name ?? "no state"}${progress}${since}`);
      await waiting.show(run);
    },
    async finish(run) {
      line.end();
      await states.show(run);
      story.tell();
      await tasks.finish(run);
      const took = run.start_time === null ? "" : ` after ${formatDuration(run.total_run_time)}`;
      line.print(`${name} is ${stateText(run.state_type, run.state_name)}${took}`);
    },
    stop() {
      story.tell();
      line.end();
    },
  };
}

const secondsSince = (time: string): number => Math.max(0, (Date.now() - Date.parse(time)) / 1000);

interface Story {
  readonly add: (timestamp: string, text: string) => void;
  readonly tell: () => void;
}

/**
 * States and log lines come by different ways; from one look to the next they are told in the order
 * of their times.
 */
function createStory(line: LiveLine): Story {
  let untold: { readonly time: number; readonly text: string }[] = [];
  return {
    add(timestamp, text) {
      untold.push({ time: Date.parse(timestamp), text });
    },
    tell() {
      for (const { text } of untold.sort((a, b) => a.time - b.time)) line.print(text);
      untold = [];
    },
  };
}

/** All states it has had, those between two looks included. */
function createStates({ client }: CliSession, flow_run_id: string, story: Story) {
  const shown = new Set<string>();
  let latest: string | null = null;
  return {
    async show({ state_id }: FlowRun): Promise<void> {
      if (state_id === latest) return;
      const states = await client.flowRunStates.list({ flow_run_id });
      latest = state_id;
      for (const state of states) {
        if (!shown.has(state.id)) story.add(state.timestamp, stateLine(state));
        shown.add(state.id);
      }
    },
  };
}

function stateLine({ timestamp, type, name, message }: State): string {
  const text = message ? `: ${message}` : "";
  return `${dim(clock(timestamp))} ${dim("|")} ${stateText(type, name)}${text}`;
}

type Counts = Readonly<Partial<Record<StateType, number>>>;

/** How far its tasks are: at a terminal in the last line, else a line whenever that has changed. */
function createTasks({ client }: CliSession, flow_run_id: string, line: LiveLine) {
  const read = (): Promise<Counts> =>
    client.dashboard.countTaskRunStates({ task_runs: { flow_run_id: { any_: [flow_run_id] } } });
  let shown = "";
  const tell = (text: string): void => {
    if (text !== "" && text !== shown) line.print(text);
    shown = text;
  };
  return {
    async show(run: FlowRun): Promise<string> {
      if (run.state_type !== "RUNNING" && run.state_type !== "CANCELLING") return "";
      const text = countsText(await read());
      if (!line.isShown) tell(text);
      return text === "" ? "" : ` · ${text}`;
    },
    async finish(run: FlowRun): Promise<void> {
      if (run.run_count > 0) tell(countsText(await read()));
    },
  };
}

function countsText(counts: Counts): string {
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  if (all === 0) return "";
  const { COMPLETED = 0, FAILED = 0, CRASHED = 0, RUNNING = 0 } = counts;
  const parts = [`${COMPLETED} of ${all} tasks completed`];
  if (RUNNING > 0) parts.push(`${RUNNING} running`);
  if (FAILED + CRASHED > 0) parts.push(`${FAILED + CRASHED} failed`);
  return parts.join(", ");
}

/** What it waits for, once it has waited for a while, and again when that is something else. */
function createWaiting({ client }: CliSession, id: string, line: LiveLine) {
  const began = Date.now();
  let told = "";
  return {
    async show({ state_type, state_id }: FlowRun): Promise<void> {
      const isWaiting =
        state_type === "SCHEDULED" || state_type === "PENDING" || state_type === "PAUSED";
      if (!isWaiting || Date.now() - began < PATIENCE_MS || told === state_id) return;
      const { obstacles } = await client.flowRuns.explain(id);
      told = state_id ?? "";
      for (const obstacle of obstacles) if (obstacle.is_blocking) line.print(blockerText(obstacle));
    },
  };
}
