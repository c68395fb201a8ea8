import type { CheckResult } from "@orchestrator/contract";
import type { Command } from "commander";
import { collect } from "../../io/collect.ts";
import { examples, leaf } from "../../io/command.ts";
import { several } from "../../io/options.ts";
import { print, printJson, say } from "../../io/print.ts";
import { type CliSession, sessionOf } from "../../io/session.ts";
import { MisuseError } from "../../output/fail.ts";
import { stateText } from "../../output/style.ts";
import { formatDuration } from "../../output/time.ts";
import { findMonitor } from "./find-monitor.ts";
import { type MonitorTargetOptions, pipelineOf, withTargetOptions } from "./target-options.ts";

/** A run may take two minutes and wait for its turn before. */
const OF_ONE = { timeoutMs: 200_000, totalTimeoutMs: 200_000 };
/** As long as it takes: the server is heard of meanwhile. */
const OF_MANY = { timeoutMs: 86_400_000, totalTimeoutMs: 86_400_000 };

interface CheckOptions {
  readonly tag: readonly string[];
  readonly all?: true;
}

export function checkMonitorsCommand(): Command {
  return leaf()
    .argument("[monitor...]", "names or ids")
    .option(
      "--tag <tag>",
      "those with this tag; given several times, with all of them",
      several,
      [],
    )
    .option("--all", "all that are not paused")
    .addHelpText(
      "after",
      examples("monitor check Shop", "monitor check --tag prod", "monitor check --all --json"),
    )
    .action(async (names: readonly string[], { tag, all }: CheckOptions, command: Command) => {
      const session = sessionOf(command);
      const isOfMany = all === true || tag.length > 0;
      if (isOfMany === names.length > 0)
        throw new MisuseError("Name monitors, or give --tag or --all");
      if (isOfMany) {
        const outcomes = await session.uptime.monitors.checkAll(
          tag.length > 0 ? { tag: [...tag] } : {},
          {},
          OF_MANY,
        );
        if (outcomes.length === 0) say("There are no such monitors that are not paused");
        if (session.json) printJson(outcomes);
        else printLines(outcomes, await namesById(session));
        return tellExit(outcomes);
      }
      const outcomes: CheckResult[] = [];
      const known = new Map<string, string>();
      for (const name of names) {
        const monitor = await findMonitor(session, name);
        known.set(monitor.id, monitor.name);
        outcomes.push(await session.uptime.monitors.check(monitor.id, OF_ONE));
      }
      if (session.json) printJson(outcomes.length === 1 ? outcomes[0] : outcomes);
      else printLines(outcomes, known);
      tellExit(outcomes);
    });
}

const namesById = async ({ uptime }: CliSession): Promise<Map<string, string>> =>
  new Map((await collect(uptime.monitors.each())).map(({ id, name }) => [id, name]));

function printLines(outcomes: readonly CheckResult[], names: Map<string, string>): void {
  for (const one of outcomes) print(lineOf(one, names.get(one.monitor_id) ?? one.monitor_id));
}

function tellExit(outcomes: readonly Pick<CheckResult, "status">[]): void {
  if (outcomes.some(({ status }) => status === "down")) process.exitCode = 1;
}

type Shown = Pick<CheckResult, "status" | "message" | "elapsed_ms"> & Partial<CheckResult>;

function lineOf({ status, message, elapsed_ms, inconclusive }: Shown, name: string): string {
  const doubt = inconclusive ? " (inconclusive: the server can reach nothing at all)" : "";
  return `${name}: ${stateText(status)}  ${message}  ${formatDuration(elapsed_ms / 1000)}${doubt}`;
}

export function testMonitorCommand(): Command {
  return withTargetOptions(leaf().argument("<url>"))
    .addHelpText(
      "after",
      examples(
        "monitor test https://shop.example.com",
        "monitor test https://db.example.com:5432 --type tcp",
      ),
    )
    .action(async (url: string, options: MonitorTargetOptions, command: Command) => {
      const session = sessionOf(command);
      const outcome = await session.uptime.monitors.tryChecks(
        { url, ...pipelineOf(options) },
        OF_ONE,
      );
      if (session.json) printJson(outcome);
      else print(lineOf(outcome, url));
      tellExit([outcome]);
    });
}
