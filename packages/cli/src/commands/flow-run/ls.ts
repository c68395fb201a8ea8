import type { FlowRunList, StateType, Static } from "@orchestrator/contract";
import type { Command } from "commander";
import { collect } from "../../io/collect.ts";
import { examples, leaf } from "../../io/command.ts";
import { findDeployment, findFlow, flowNamesById } from "../../io/find.ts";
import { parseWholeNumber, several } from "../../io/options.ts";
import { printRows } from "../../io/print.ts";
import { type CliSession, sessionOf } from "../../io/session.ts";
import { stateText } from "../../output/style.ts";
import { formatDuration, timeAgo } from "../../output/time.ts";

interface Options {
  readonly flow?: string;
  readonly deployment?: string;
  readonly state: readonly string[];
  readonly tag: readonly string[];
  readonly limit: number;
}

const SHOWN = 20;
const TYPES: ReadonlySet<string> = new Set<StateType>([
  "SCHEDULED",
  "PENDING",
  "RUNNING",
  "COMPLETED",
  "FAILED",
  "CANCELLED",
  "CRASHED",
  "PAUSED",
  "CANCELLING",
]);

export function listFlowRunsCommand(): Command {
  return leaf()
    .option("--flow <name>", "only those of a flow")
    .option("--deployment <name>", "only those of a deployment (flow/deployment, or its id)")
    .option(
      "--state <state>",
      "only those in a state, by its type or name; may be repeated",
      several,
      [],
    )
    .option("--tag <tag>", "only those with the tag; may be repeated", several, [])
    .option("--limit <count>", "at most so many", parseWholeNumber(1), SHOWN)
    .addHelpText(
      "after",
      examples(
        "flow-run ls --state FAILED --state CRASHED",
        "flow-run ls --deployment etl/nightly --json",
      ),
    )
    .action(async (options: Options, command: Command) => {
      const session = sessionOf(command);
      const filter = await filterOf(session, options);
      const rows = await collect(
        session.client.flowRuns.each({ ...filter, sort: "CREATED_DESC", limit: options.limit }),
      );
      const flows = session.json
        ? new Map<string, string>()
        : await flowNamesById(
            session,
            rows.map(({ flow_id }) => flow_id),
          );
      printRows(session, rows, {
        columns: [
          { title: "Name", cell: ({ name }) => name },
          { title: "Flow", cell: ({ flow_id }) => flows.get(flow_id) ?? flow_id },
          { title: "State", cell: (run) => stateText(run.state_type, run.state_name) },
          {
            title: "When",
            cell: (run) => timeAgo(run.start_time ?? run.expected_start_time ?? run.created),
          },
          {
            title: "Took",
            cell: (run) =>
              run.start_time === null ? null : formatDuration(run.estimated_run_time),
            right: true,
          },
          { title: "Id", cell: ({ id }) => id },
        ],
        none: noneText(options),
      });
    });
}

/** A state may have any name, so that one which does not exist is only told from the empty list. */
function noneText({ state }: Options): string {
  const names = state.filter((text) => !TYPES.has(text.toUpperCase()));
  return names.length === 0
    ? "There are no such flow runs: `orchestrator deployment run FLOW/DEPLOYMENT` makes one"
    : `There are no such flow runs. States may have any name; their types are ${[...TYPES].join(", ")}`;
}

/** Names in capitals are types; others are the names of states. */
async function filterOf(
  session: CliSession,
  { flow, deployment, state, tag }: Options,
): Promise<Pick<Static<typeof FlowRunList>, "flow_runs">> {
  const types = state.filter((text) => TYPES.has(text.toUpperCase()));
  const names = state.filter((text) => !TYPES.has(text.toUpperCase()));
  const wanted = {
    ...(types.length > 0 && {
      type: { any_: types.map((text) => text.toUpperCase() as StateType) },
    }),
    ...(names.length > 0 && { name: { any_: names } }),
  };
  return {
    flow_runs: {
      ...(flow !== undefined && { flow_id: { any_: [(await findFlow(session, flow)).id] } }),
      ...(deployment !== undefined && {
        deployment_id: { any_: [(await findDeployment(session, deployment)).id] },
      }),
      ...(state.length > 0 && { state: wanted }),
      ...(tag.length > 0 && { tags: { all_: [...tag] } }),
    },
  };
}
