import type { FlowRun, Log, LogFilter, Static } from "@orchestrator/contract";
import { type Command, InvalidArgumentError, Option } from "commander";
import { collect } from "../../io/collect.ts";
import { examples, leaf } from "../../io/command.ts";
import { findFlowRun } from "../../io/find.ts";
import { exitInterrupted, onInterrupt, waitUnlessAborted } from "../../io/interrupt.ts";
import { parseWholeNumber } from "../../io/options.ts";
import { isPassing } from "../../io/passing.ts";
import { print, printJson, printJsonLine, say } from "../../io/print.ts";
import { type CliSession, sessionOf } from "../../io/session.ts";
import { levelOf, logText } from "../../output/log-line.ts";
import { followLogs, followToEnd, printOnce } from "./follow-logs.ts";
import { hasRunEnded } from "./states.ts";

type Filter = Static<typeof LogFilter>;

export interface LogOptions {
  readonly level?: number;
  readonly head?: number;
  readonly tail?: number;
  readonly reverse?: true;
}

interface Options extends LogOptions {
  readonly follow?: true;
}

const TAIL = 20;

/** What may be asked of logs, of whichever run. */
export function withLogOptions(command: Command): Command {
  return command
    .option("--level <level>", "only from this level on: debug, info, warning, error", parseLevel)
    .addOption(
      new Option("--head [count]", "the first so many lines")
        .argParser(parseWholeNumber(1))
        .preset(String(TAIL))
        .conflicts("tail"),
    )
    .addOption(
      new Option("--tail [count]", "the last so many lines")
        .argParser(parseWholeNumber(1))
        .preset(String(TAIL)),
    )
    .option("--reverse", "the latest first");
}

export function flowRunLogsCommand(): Command {
  return withLogOptions(leaf().argument("<run>", "its id or its name"))
    .addOption(
      new Option("-f, --follow", "go on with those that come, until the run ends").conflicts([
        "head",
        "reverse",
      ]),
    )
    .addHelpText(
      "after",
      examples(
        "flow-run logs brave-otter --tail 50",
        "flow-run logs brave-otter --follow --level warning",
      ),
    )
    .action(async (name: string, options: Options, command: Command) => {
      const session = sessionOf(command);
      const run = await findFlowRun(session, name);
      const filter: Filter = { flow_run_id: { any_: [run.id] }, ...levelFilter(options) };
      if (options.follow && !hasRunEnded(run)) return follow(session, run, { filter, options });
      const rows = await readLogs(session, filter, options);
      if (options.follow && session.json) for (const row of rows) printJsonLine(row);
      else printLogs(session, rows, `${run.name} has no such lines`);
    });
}

const levelFilter = ({ level }: LogOptions): Filter =>
  level === undefined ? {} : { level: { ge_: level } };

/** In the order in which they are to be shown. */
export async function readLogs(
  { client }: CliSession,
  filter: Filter,
  { level, head, tail, reverse }: LogOptions,
): Promise<Log[]> {
  const logs = { ...filter, ...levelFilter(level === undefined ? {} : { level }) };
  const isFromEnd = tail !== undefined || (reverse === true && head === undefined);
  const sort = isFromEnd ? "TIMESTAMP_DESC" : "TIMESTAMP_ASC";
  const limit = tail ?? head;
  const rows = await collect(
    client.logs.each({ logs, sort, ...(limit !== undefined && { limit }) }),
  );
  return isFromEnd === (reverse === true) ? rows : rows.toReversed();
}

export function printLogs({ json }: CliSession, rows: readonly Log[], none: string): void {
  if (json) return printJson(rows);
  if (rows.length === 0) return say(none);
  for (const row of rows) print(logText(row));
}

/** Each line as it is stored; with --json one object a line. */
async function follow(
  session: CliSession,
  run: FlowRun,
  { filter, options }: { readonly filter: Filter; readonly options: Options },
): Promise<void> {
  const { signal } = onInterrupt();
  const show = printOnce((row) => (session.json ? printJsonLine(row) : print(logText(row))));
  if (options.tail !== undefined) {
    for (const row of await readLogs(session, filter, options)) show(row);
  }
  const backfill = options.tail === undefined;
  const ways = {
    follow: (ended: AbortSignal, either: AbortSignal) =>
      followLogs(session, filter, { show, backfill, ended, signal: either }),
    untilEnded: (either: AbortSignal) => untilEnded(session, run, either),
  };
  await followToEnd(ways, signal);
  if (signal.aborted) exitInterrupted(signal, "Stopped following; the run goes on");
}

const ASK_MS = 1000;

async function untilEnded(
  { client }: CliSession,
  run: FlowRun,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const now = await client.flowRuns.read(run.id).catch((error: unknown) => {
      if (isPassing(error)) return run;
      throw error;
    });
    if (hasRunEnded(now)) return;
    await waitUnlessAborted(ASK_MS, signal);
  }
}

function parseLevel(text: string): number {
  const level = levelOf(text);
  if (level !== null) return level;
  throw new InvalidArgumentError("It must be debug, info, warning, error, critical or a number.");
}
