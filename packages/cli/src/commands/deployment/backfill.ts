import type { Backfill, JsonObject } from "@orchestrator/contract";
import { type Command, Option } from "commander";
import { examples, leaf } from "../../io/command.ts";
import { confirmOrFail } from "../../io/confirm.ts";
import { findDeployment } from "../../io/find.ts";
import { exitInterrupted, onInterrupt, waitUnlessAborted } from "../../io/interrupt.ts";
import { jsonObject, moment, pair, parseWholeNumber } from "../../io/options.ts";
import { isPassing } from "../../io/passing.ts";
import { print, printDone, printJson, say } from "../../io/print.ts";
import { type CliSession, sessionOf } from "../../io/session.ts";
import { liveLine } from "../../output/live-line.ts";
import { progressText } from "../backfill/progress-text.ts";
import { findSchedule } from "./schedule/find-schedule.ts";

interface Options {
  readonly start: string;
  readonly end?: string;
  readonly schedule?: string;
  readonly param?: JsonObject;
  readonly params?: JsonObject;
  readonly maxConcurrent?: number;
  readonly order?: Backfill["order"];
  readonly skipExisting?: true;
  readonly idempotencyKey?: string;
  readonly watch?: true;
  readonly yes?: true;
}

const ASK_MS = 1000;

export function createBackfillCommand(): Command {
  return leaf()
    .argument("<deployment>", "flow/deployment, or its id")
    .requiredOption("--start <time>", "the first time that counts", moment)
    .option("--end <time>", "the last time that counts (default: now)", moment)
    .option(
      "--schedule <schedule>",
      "only the times of one, by its id or slug (default: every active one)",
    )
    .option("--param <name=value>", "a parameter of the runs; may be repeated", pair)
    .option("--params <json>", "parameters as a JSON object; - or @file to read it", jsonObject)
    .option("--max-concurrent <count>", "how many of its runs at once", parseWholeNumber(1))
    .addOption(
      new Option("--order <order>", "which times come first").choices([
        "oldest-first",
        "newest-first",
      ]),
    )
    .option(
      "--skip-existing",
      "leave out times whose run the schedule has made already; runs of other backfills do not count",
    )
    .option("--idempotency-key <key>", "given again for the deployment, begins no second backfill")
    .option("--watch", "wait until all runs have ended")
    .option("-y, --yes", "do not ask")
    .addHelpText(
      "after",
      examples(
        "deployment backfill etl/nightly --start 2026-11-01 --end 2026-11-08 --watch -y",
        "deployment backfill etl/nightly --start 2026-11-01 --schedule night --idempotency-key november -y",
      ),
    )
    .action(async (name: string, options: Options, command: Command) => {
      const session = sessionOf(command);
      const deployment = await findDeployment(session, name);
      const schedule =
        options.schedule === undefined
          ? null
          : await findSchedule(session, deployment, options.schedule);
      const span = `from ${options.start} to ${options.end ?? "now"}`;
      await confirmOrFail(session, {
        question: `Make the runs of ${name} ${span}?`,
        yes: options.yes,
      });
      const { start, end, maxConcurrent, order, skipExisting, idempotencyKey } = options;
      const made = await session.client.backfills.create(deployment.id, {
        start,
        ...(end !== undefined && { end }),
        ...(schedule !== null && { schedule_id: schedule.id }),
        parameters: { ...options.params, ...options.param },
        ...(maxConcurrent !== undefined && { max_concurrent: maxConcurrent }),
        ...(order !== undefined && { order }),
        ...(skipExisting && { skip_existing: true }),
        ...(idempotencyKey !== undefined && { idempotency_key: idempotencyKey }),
      });
      // An earlier one is the answer where its key was given before, so that this says how it is,
      // not that it begins.
      const text = `Backfill ${made.id} is ${progressText(made)}`;
      if (options.watch) {
        if (!session.json) say(text);
        return watch(session, made);
      }
      printDone(session, text, made);
      if (!session.json) say(`See how far it is with: orchestrator backfill inspect ${made.id}`);
    });
}

/** Ends well when every run has completed. */
async function watch(session: CliSession, made: Backfill): Promise<void> {
  const { signal } = onInterrupt();
  const line = liveLine();
  let now = made;
  while (now.status === "RUNNING" && !signal.aborted) {
    if (!session.json) line.set(progressText(now));
    await waitUnlessAborted(ASK_MS, signal);
    now = await session.client.backfills.read(made.id).catch((error: unknown) => {
      // A server that is away for a while does not end the watching.
      if (isPassing(error)) return now;
      throw error;
    });
  }
  line.end();
  if (signal.aborted) {
    return exitInterrupted(
      signal,
      `Stopped watching; the backfill goes on. Stop it with: orchestrator backfill cancel ${made.id}`,
    );
  }
  if (session.json) printJson(now);
  else print(progressText(now));
  const isGood = (now.states.COMPLETED ?? 0) === now.created_runs && now.status === "COMPLETED";
  if (!isGood) process.exitCode = 1;
}
