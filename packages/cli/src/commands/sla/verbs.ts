import type { Sla } from "@orchestrator/contract";
import { type Command, Option } from "commander";
import { collect } from "../../io/collect.ts";
import { examples, leaf } from "../../io/command.ts";
import { deleteCommand } from "../../io/delete-command.ts";
import { deploymentNamesById, findDeployment } from "../../io/find.ts";
import { findNamed } from "../../io/find-named.ts";
import { parseDuration, parseWholeNumber } from "../../io/options.ts";
import { printDone, printOne, printRows } from "../../io/print.ts";
import { type CliSession, sessionOf } from "../../io/session.ts";
import { MisuseError } from "../../output/fail.ts";
import { dim, green, red } from "../../output/style.ts";
import { formatDuration, timeAgo } from "../../output/time.ts";

const MOST = 200;
const SEVERITIES = ["minor", "low", "moderate", "high", "critical"] as const;

interface ListOptions {
  readonly deployment?: string;
  readonly violated?: true;
  readonly limit: number;
}

export function listSlasCommand(): Command {
  return leaf()
    .option("--deployment <name>", "only those of a deployment, flow/deployment")
    .option("--violated", "only those that are not kept at present")
    .option("--limit <count>", "at most so many", parseWholeNumber(1), MOST)
    .addHelpText("after", examples("sla ls", "sla ls --violated --json"))
    .action(async ({ deployment, violated, limit }: ListOptions, command: Command) => {
      const session = sessionOf(command);
      const of = deployment === undefined ? null : await findDeployment(session, deployment);
      const rows = await collect(
        session.client.slas.each({
          limit,
          sort: "NAME_ASC",
          slas: {
            ...(of !== null && { deployment_id: { any_: [of.id] } }),
            ...(violated && { status: { any_: ["VIOLATED"] } }),
          },
        }),
      );
      const names = session.json ? new Map<string, string>() : await namesOf(session, rows);
      printRows(session, rows, {
        columns: [
          { title: "Name", cell: ({ name }) => name },
          { title: "Deployment", cell: (row) => names.get(row.deployment_id) ?? row.deployment_id },
          { title: "Promise", cell: promiseOf },
          { title: "Severity", cell: ({ severity }) => severity },
          { title: "Status", cell: statusOf },
          { title: "Violations", cell: ({ violations }) => violations, right: true },
          { title: "Last", cell: ({ last_violated }) => timeAgo(last_violated) },
          { title: "Id", cell: ({ id }) => id },
        ],
        none: "Nothing is promised yet: `orchestrator sla create FLOW/DEPLOYMENT NAME --duration 10m` does",
      });
    });
}

export function inspectSlaCommand(): Command {
  return leaf()
    .argument("<sla>", "its name or its id")
    .addHelpText("after", examples("sla inspect quick"))
    .action(async (name: string, _: unknown, command: Command) => {
      const session = sessionOf(command);
      const sla = await findSla(session, name);
      const names = await namesOf(session, [sla]);
      printOne(session, sla, {
        Name: sla.name,
        Deployment: names.get(sla.deployment_id) ?? sla.deployment_id,
        Promise: promiseOf(sla),
        Severity: sla.severity,
        Status: statusOf(sla),
        "Violations so far": sla.violations,
        "Last violated": sla.last_violated,
        "By flow run": sla.last_violated_flow_run_id,
        "Last restored": sla.last_restored,
        Id: sla.id,
      });
    });
}

interface CreateOptions {
  readonly duration?: number;
  readonly lateness?: number;
  readonly freshness?: number;
  readonly severity?: (typeof SEVERITIES)[number];
}

export function createSlaCommand(): Command {
  return leaf()
    .argument("<deployment>", "flow/deployment")
    .argument("<name>")
    .option("--duration <time>", "a run takes so long at most", parseDuration)
    .option(
      "--lateness <time>",
      "a run starts so long after its expected start at the latest",
      parseDuration,
    )
    .option(
      "--freshness <time>",
      "so long after a run has completed another one has",
      parseDuration,
    )
    .addOption(new Option("--severity <word>", "told in the events").choices(SEVERITIES))
    .addHelpText(
      "after",
      examples(
        "sla create report/daily quick --duration 10m",
        "sla create report/daily fresh --freshness 25h --severity high",
      ),
    )
    .action(async (deployment: string, name: string, options: CreateOptions, command: Command) => {
      const session = sessionOf(command);
      const kinds = ["duration", "lateness", "freshness"] as const;
      const [kind, ...others] = kinds.filter((one) => options[one] !== undefined);
      if (kind === undefined || others.length > 0) {
        throw new MisuseError("Give one of --duration, --lateness and --freshness");
      }
      const { id } = await findDeployment(session, deployment);
      const sla = await session.client.slas.create(id, {
        name,
        kind,
        seconds: options[kind] ?? 0,
        ...(options.severity !== undefined && { severity: options.severity }),
      });
      printDone(session, `Promised of ${deployment}: ${promiseOf(sla)} (${sla.id})`, sla);
    });
}

export function switchSlaCommand(enabled: boolean): Command {
  const verb = enabled ? "resume" : "pause";
  return leaf()
    .argument("<sla>", "its name or its id")
    .addHelpText("after", examples(`sla ${verb} quick`))
    .action(async (name: string, _: unknown, command: Command) => {
      const session = sessionOf(command);
      const { slas } = session.client;
      const { id } = await findSla(session, name);
      await slas.update(id, { enabled });
      printDone(session, `${name} is ${enabled ? "watched" : "not watched"}`, await slas.read(id));
    });
}

export function deleteSlaCommand(): Command {
  return deleteCommand({
    argument: ["<sla>", "its name or its id"],
    example: "sla delete quick",
    find: findSla,
    describe: ({ name }) => `the SLA ${name}`,
    deleteRow: ({ client }, { id }) => client.slas.delete(id),
  });
}

function findSla({ client }: CliSession, name: string): Promise<Sla> {
  return findNamed(
    {
      what: "sla",
      read: (id) => client.slas.read(id),
      each: (wanted) =>
        client.slas.each(wanted === undefined ? {} : { slas: { name: { any_: [wanted] } } }),
    },
    name,
  );
}

const namesOf = (session: CliSession, rows: readonly Sla[]): Promise<Map<string, string>> =>
  deploymentNamesById(
    session,
    rows.map(({ deployment_id }) => deployment_id),
  );

const promiseOf = ({ kind, seconds }: Sla): string => `${kind} ${formatDuration(seconds)}`;

const statusOf = ({ status }: Sla): string =>
  ({ OK: green("kept"), VIOLATED: red("violated"), DISABLED: dim("paused") })[status];
