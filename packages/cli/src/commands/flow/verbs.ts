import type { Command } from "commander";
import { collect } from "../../io/collect.ts";
import { examples, leaf } from "../../io/command.ts";
import { confirmOrFail } from "../../io/confirm.ts";
import { findFlow } from "../../io/find.ts";
import { parseWholeNumber } from "../../io/options.ts";
import { printDone, printOne, printRows } from "../../io/print.ts";
import { sessionOf } from "../../io/session.ts";
import { timeAgo } from "../../output/time.ts";

const MOST = 200;

export function listFlowsCommand(): Command {
  return leaf()
    .option("--limit <count>", "at most so many", parseWholeNumber(1), MOST)
    .addHelpText("after", examples("flow ls", "flow ls --limit 5 --json"))
    .action(async ({ limit }: { readonly limit: number }, command: Command) => {
      const session = sessionOf(command);
      const rows = await collect(session.client.flows.each({ limit, sort: "CREATED_DESC" }));
      printRows(session, rows, {
        columns: [
          { title: "Name", cell: ({ name }) => name },
          { title: "Tags", cell: ({ tags }) => tags.join(", ") },
          { title: "Created", cell: ({ created }) => timeAgo(created) },
          { title: "Id", cell: ({ id }) => id },
        ],
        none: "There are no flows yet: `orchestrator init` makes a small project to begin with",
      });
    });
}

export function inspectFlowCommand(): Command {
  return leaf()
    .argument("<flow>", "its name or its id")
    .addHelpText("after", examples("flow inspect hello"))
    .action(async (name: string, _: unknown, command: Command) => {
      const session = sessionOf(command);
      const { client } = session;
      const flow = await findFlow(session, name);
      if (session.json) return printOne(session, flow, {});
      const flows = { id: { any_: [flow.id] } };
      const deployments = await collect(client.deployments.each({ flows, sort: "NAME_ASC" }));
      const [latest] = await client.flowRuns.list({ flows, sort: "CREATED_DESC", limit: 1 });
      printOne(session, flow, {
        Name: flow.name,
        Tags: flow.tags.join(", "),
        Deployments: deployments.map((one) => `${flow.name}/${one.name}`).join(", ") || null,
        Runs: await client.flowRuns.count({ flows }),
        "Latest run":
          latest &&
          `${latest.name} (${latest.state_name}, ${timeAgo(latest.start_time ?? latest.created)})`,
        Created: flow.created,
        Id: flow.id,
      });
    });
}

export function deleteFlowCommand(): Command {
  return leaf()
    .argument("<flow>", "its name or its id")
    .option("-y, --yes", "do not ask")
    .addHelpText("after", examples("flow delete hello"))
    .action(async (name: string, options: { readonly yes?: true }, command: Command) => {
      const session = sessionOf(command);
      const flow = await findFlow(session, name);
      const runs = await session.client.flowRuns.count({ flows: { id: { any_: [flow.id] } } });
      await confirmOrFail(session, {
        question: `Delete the flow ${flow.name} with its deployments and ${runs} runs?`,
        yes: options.yes,
      });
      await session.client.flows.delete(flow.id);
      printDone(session, `Deleted the flow ${flow.name}`, { deleted: flow.id });
    });
}
