import type { Backfill } from "@orchestrator/contract";
import { writeJson } from "@orchestrator/exact-json";
import { type Command, Option } from "commander";
import { collect } from "../../io/collect.ts";
import { examples, leaf } from "../../io/command.ts";
import { deploymentNamesById, findDeployment } from "../../io/find.ts";
import { parseWholeNumber } from "../../io/options.ts";
import { printOne, printRows } from "../../io/print.ts";
import { sessionOf } from "../../io/session.ts";
import { scheduleText } from "../../output/schedule-text.ts";
import { stateText } from "../../output/style.ts";
import { EXAMPLE_ID, foundBackfill, leafOfBackfill } from "./find-backfill.ts";
import { madeText, statesText } from "./progress-text.ts";

const SHOWN = 20;
const STATUSES: readonly Backfill["status"][] = ["RUNNING", "COMPLETED", "CANCELLED"];

interface ListOptions {
  readonly deployment?: string;
  readonly status?: Backfill["status"];
  readonly limit: number;
}

export function listBackfillsCommand(): Command {
  return leaf()
    .option("--deployment <name>", "only those of a deployment (flow/deployment, or its id)")
    .addOption(new Option("--status <status>", "only those that are so").choices(STATUSES))
    .option("--limit <count>", "at most so many", parseWholeNumber(1), SHOWN)
    .addHelpText(
      "after",
      examples("backfill ls --status RUNNING", "backfill ls --deployment etl/nightly --json"),
    )
    .action(async ({ deployment, status, limit }: ListOptions, command: Command) => {
      const session = sessionOf(command);
      const of = deployment === undefined ? null : await findDeployment(session, deployment);
      const backfills = {
        ...(of !== null && { deployment_id: { any_: [of.id] } }),
        ...(status !== undefined && { status: { any_: [status] } }),
      };
      const rows = await collect(
        session.client.backfills.each({ backfills, sort: "CREATED_DESC", limit }),
      );
      const names = session.json
        ? new Map<string, string>()
        : await deploymentNamesById(
            session,
            rows.map((row) => row.deployment_id),
          );
      printRows(session, rows, {
        columns: [
          { title: "Deployment", cell: (row) => names.get(row.deployment_id) ?? row.deployment_id },
          { title: "Status", cell: (row) => stateText(row.status) },
          { title: "From", cell: ({ start }) => toTheMinute(start) },
          { title: "To", cell: ({ end }) => toTheMinute(end) },
          {
            title: "Made",
            cell: (row) => `${row.created_runs} of ${row.total - row.skipped}`,
            right: true,
          },
          { title: "Active", cell: ({ active_runs }) => active_runs, right: true },
          { title: "Id", cell: ({ id }) => id },
        ],
        none: "There are no such backfills: `orchestrator deployment backfill FLOW/DEPLOYMENT --start TIME` begins one",
      });
    });
}

export function inspectBackfillCommand(): Command {
  return leafOfBackfill()
    .addHelpText(
      "after",
      examples(`backfill inspect ${EXAMPLE_ID}`, `backfill inspect ${EXAMPLE_ID} --json`),
    )
    .action(async (id: string, _: unknown, command: Command) => {
      const session = sessionOf(command);
      const backfill = await foundBackfill(session, id, (backfills) => backfills.read(id));
      if (session.json) return printOne(session, backfill, {});
      const names = await deploymentNamesById(session, [backfill.deployment_id]);
      printOne(session, backfill, {
        Deployment: names.get(backfill.deployment_id) ?? backfill.deployment_id,
        Status: stateText(backfill.status),
        From: backfill.start,
        To: backfill.end,
        Schedules: backfill.schedules.map(timesText).join("; "),
        Parameters: writeJson(backfill.parameters),
        Order: backfill.order,
        "Runs at once": backfill.max_concurrent,
        "Skips existing": backfill.skip_existing ? "yes" : "no",
        Progress: madeText(backfill),
        Runs: statesText(backfill),
        "Next time": backfill.next_time,
        "Idempotency key": backfill.idempotency_key,
        Created: backfill.created,
        Updated: backfill.updated,
        Id: backfill.id,
      });
    });
}

/** As `--start` and `--end` take them; a list has no room for parts of seconds. */
const toTheMinute = (time: string): string => time.replace(/:\d\d\.\d+Z$/, "Z");

const timesText = ({ slug, schedule }: Backfill["schedules"][number]): string =>
  `${slug === null ? "" : `${slug}: `}${scheduleText({ schedule, active: true })}`;
