import type { Deployment } from "@orchestrator/contract";
import { writeJson } from "@orchestrator/exact-json";
import type { Command } from "commander";
import { collect } from "../../io/collect.ts";
import { examples, leaf } from "../../io/command.ts";
import { deploymentNames, findDeployment } from "../../io/find.ts";
import { parseWholeNumber, several } from "../../io/options.ts";
import { printOne, printRows } from "../../io/print.ts";
import { sessionOf } from "../../io/session.ts";
import { LONGEST_IN_TABLE, scheduleText } from "../../output/schedule-text.ts";
import { dim, stateText, yellow } from "../../output/style.ts";
import { timeAgo } from "../../output/time.ts";

const MOST = 200;

interface ListOptions {
  readonly flow?: string;
  readonly tag: readonly string[];
  readonly limit: number;
}

export function listDeploymentsCommand(): Command {
  return leaf()
    .option("--flow <name>", "only those of a flow")
    .option("--tag <tag>", "only those with the tag; may be repeated", several, [])
    .option("--limit <count>", "at most so many", parseWholeNumber(1), MOST)
    .addHelpText("after", examples("deployment ls", "deployment ls --flow etl --json"))
    .action(async ({ flow, tag, limit }: ListOptions, command: Command) => {
      const session = sessionOf(command);
      const rows = await collect(
        session.client.deployments.each({
          ...(flow !== undefined && { flows: { name: { any_: [flow] } } }),
          ...(tag.length > 0 && { deployments: { tags: { all_: [...tag] } } }),
          sort: "NAME_ASC",
          limit,
        }),
      );
      const names = session.json ? new Map<string, string>() : await deploymentNames(session, rows);
      printRows(session, rows, {
        columns: [
          { title: "Name", cell: ({ id, name }) => names.get(id) ?? name },
          {
            title: "Status",
            cell: ({ paused, status }) => (paused ? yellow("PAUSED") : stateText(status)),
          },
          {
            title: "Schedules",
            cell: ({ schedules }) => schedules.map(scheduleText).join("; ") || null,
            most: LONGEST_IN_TABLE,
          },
          { title: "Work pool", cell: (one) => one.work_pool_name ?? dim("served") },
          { title: "Tags", cell: ({ tags }) => tags.join(", ") },
          { title: "Id", cell: ({ id }) => id },
        ],
        none: "There are no such deployments: `orchestrator deploy` makes those of an orchestrator.yaml",
      });
    });
}

export function inspectDeploymentCommand(): Command {
  return leaf()
    .argument("<deployment>", "flow/deployment, or its id")
    .addHelpText("after", examples("deployment inspect etl/nightly"))
    .action(async (name: string, _: unknown, command: Command) => {
      const session = sessionOf(command);
      const deployment = await findDeployment(session, name);
      if (session.json) return printOne(session, deployment, {});
      const names = await deploymentNames(session, [deployment]);
      const deployments = { id: { any_: [deployment.id] } };
      const [latest] = await session.client.flowRuns.list({
        deployments,
        flow_runs: { start_time: { is_null_: false } },
        sort: "START_TIME_DESC",
        limit: 1,
      });
      const limit = deployment.global_concurrency_limit;
      printOne(session, deployment, {
        Name: names.get(deployment.id),
        Description: deployment.description,
        Status: deployment.paused ? "PAUSED" : deployment.status,
        Version: deployment.version,
        Schedules: deployment.schedules.map(scheduleText).join("; ") || null,
        Parameters: writeJson(deployment.parameters),
        Tags: deployment.tags.join(", "),
        Entrypoint: deployment.entrypoint,
        Path: deployment.path,
        "Work pool": deployment.work_pool_name,
        "Work queue": deployment.work_queue_name,
        "Job variables": writeJson(deployment.job_variables),
        Concurrency: limit === null ? null : `${limit.active_slots} of ${limit.limit}`,
        "Concurrency key": limit?.key?.template,
        "Latest run":
          latest && `${latest.name} (${latest.state_name}, ${timeAgo(latest.start_time)})`,
        ...otherFacts(deployment),
        Updated: deployment.updated,
        Id: deployment.id,
      });
    });
}

/** Fields that are shown under a label of their own, or that say nothing to people. */
const SHOWN: ReadonlySet<string> = new Set([
  "id",
  "created",
  "updated",
  "name",
  "flow_id",
  "description",
  "paused",
  "status",
  "version",
  "schedule",
  "schedules",
  "parameters",
  "parameter_openapi_schema",
  "tags",
  "entrypoint",
  "path",
  "work_pool_name",
  "work_queue_name",
  "work_queue_id",
  "job_variables",
  "concurrency_limit",
  "global_concurrency_limit",
  "created_by",
  "updated_by",
]);

/** Everything else that is set, under its own name: no field of a record goes unseen. */
function otherFacts(deployment: Deployment): Record<string, string> {
  const others = Object.entries(deployment).filter(
    ([field, value]) => !SHOWN.has(field) && value !== null && !isEmpty(value),
  );
  return Object.fromEntries(
    others.map(([field, value]) => [
      labelOf(field),
      typeof value === "string" ? value : writeJson(value),
    ]),
  );
}

const isEmpty = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Object.keys(value).length === 0;

/** `last_polled` as `Last polled`. */
const labelOf = (field: string): string =>
  `${field.charAt(0).toUpperCase()}${field.slice(1).replaceAll("_", " ")}`;
