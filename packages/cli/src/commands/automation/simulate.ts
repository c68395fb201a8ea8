import type {
  AutomationSimulate,
  AutomationSimulation,
  AutomationThrottle,
  TriggerEvaluation,
} from "@orchestrator/contract";
import type { Command } from "commander";
import { examples, leaf } from "../../io/command.ts";
import { parseDuration, parseWholeNumber } from "../../io/options.ts";
import { print, printJson, say, sayIfCut } from "../../io/print.ts";
import { readObjectFile, readObjects } from "../../io/read-document.ts";
import { type CliSession, sessionOf } from "../../io/session.ts";
import { MisuseError } from "../../output/fail.ts";
import { dim, green, yellow } from "../../output/style.ts";
import { type TableColumn, tableText } from "../../output/table.ts";
import { findAutomation } from "./find-automation.ts";

const DEFAULT_LIMIT = 20;

interface Options {
  readonly file?: string;
  readonly since?: number;
  readonly events?: string;
  readonly limit: number;
}

export function simulateAutomationCommand(): Command {
  return leaf()
    .argument("[automation]", "its name or its id")
    .option("-f, --file <path>", "a file with an automation or a trigger that is tried out instead")
    .option(
      "--since <time>",
      "how far back events are taken, such as 2h; a day unless given",
      parseDuration,
    )
    .option("--events <path>", "a file with events, in the place of those of the past")
    .option(
      "--limit <count>",
      "at most so many of each are shown",
      parseWholeNumber(1),
      DEFAULT_LIMIT,
    )
    .addHelpText(
      "after",
      examples(
        "automation simulate 'tell ops' --since 1w",
        "automation simulate -f tell-ops.yaml --events events.yaml",
      ),
    )
    .action(async (name: string | undefined, options: Options, command: Command) => {
      const session = sessionOf(command);
      const outcome = await session.client.automations.simulate({
        ...(await whatIsTried(session, name, options.file)),
        ...(options.since !== undefined && {
          since: new Date(Date.now() - options.since * 1000).toISOString(),
        }),
        ...(options.events !== undefined && {
          events: (await readObjects(options.events)) as unknown as AutomationSimulate["events"],
        }),
        limit: options.limit,
      } as AutomationSimulate);
      if (session.json) printJson(outcome);
      else printOutcome(outcome);
      sayIfCut(session, Math.max(outcome.firings.length, outcome.near_misses.length));
    });
}

async function whatIsTried(
  session: CliSession,
  name: string | undefined,
  file: string | undefined,
): Promise<Partial<AutomationSimulate>> {
  if ((name === undefined) === (file === undefined)) {
    throw new MisuseError("Name an automation, or a file with -f");
  }
  if (file === undefined) return { automation_id: (await findAutomation(session, name ?? "")).id };
  const entry = await readObjectFile(file);
  return { trigger: entry["trigger"] ?? entry } as unknown as Partial<AutomationSimulate>;
}

function printOutcome(outcome: AutomationSimulation): void {
  const { events_read, events_named, firings_total, firings, near_misses, truncated } = outcome;
  print(
    `It would have fired ${firings_total === 1 ? "once" : `${firings_total} times`}: of ${events_read} events it knows ${events_named} by name`,
  );
  if (firings.length > 0) {
    print(
      `\n${tableText(
        [
          { title: "Fired", cell: ({ time }) => time },
          { title: "Event", cell: ({ event }) => green(event?.event ?? "time went by") },
          { title: "Count", cell: ({ count, threshold }) => `${count}/${threshold}` },
          { title: "Labels", cell: ({ labels }) => labelsText(labels) },
        ],
        firings,
      )}`,
    );
  }
  if (near_misses.length > 0) print(`\n${tableText(EVALUATIONS, near_misses)}`);
  if (truncated) say(`It stopped before the end: too many ${outcome.truncated_by ?? "events"}`);
}

const labelsText = (labels: Readonly<Record<string, string>>): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}=${value}`)
    .join(", ");

const EVALUATIONS: readonly TableColumn<TriggerEvaluation>[] = [
  { title: "Time", cell: ({ time }) => time },
  { title: "Event", cell: ({ event }) => event?.event },
  {
    title: "Verdict",
    cell: ({ verdict, times }) => (times > 1 ? `${verdict} ×${times}` : verdict),
  },
  { title: "Why", cell: ({ message }) => message },
];

function throttleText({ is_active, since, matches, message }: AutomationThrottle): string {
  const many = `${matches === 1 ? "1 match" : `${matches} matches`} did not make it fire`;
  if (is_active) return yellow(`Throttled since ${since}: ${many}. ${message}`);
  return dim(`Throttled at ${since}: ${many}. It fires again.`);
}

export function traceAutomationCommand(): Command {
  return leaf()
    .argument("<automation>", "its name or its id")
    .addHelpText("after", examples("automation trace 'tell ops'"))
    .action(async (name: string, _: unknown, command: Command) => {
      const session = sessionOf(command);
      const { id } = await findAutomation(session, name);
      const { firings, near_misses, throttle } = await session.client.automations.trace(id);
      if (session.json) return printJson({ firings, near_misses, throttle });
      if (throttle !== undefined) print(`${throttleText(throttle)}\n`);
      const all = [...firings, ...near_misses].sort((a, b) => (a.time < b.time ? 1 : -1));
      if (all.length === 0) return say("It has neither fired nor nearly fired");
      print(tableText(EVALUATIONS, all));
    });
}
