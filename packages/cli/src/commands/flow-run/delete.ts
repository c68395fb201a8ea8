import type { FlowRun } from "@orchestrator/contract";
import type { Command } from "commander";
import { examples, leaf } from "../../io/command.ts";
import { confirmOrFail } from "../../io/confirm.ts";
import { findFlowRun } from "../../io/find.ts";
import { printDone } from "../../io/print.ts";
import { sessionOf } from "../../io/session.ts";

export function deleteFlowRunsCommand(): Command {
  return leaf()
    .argument("<runs...>", "ids or names")
    .option("-y, --yes", "do not ask")
    .addHelpText("after", examples("flow-run delete brave-otter -y"))
    .action(
      async (names: readonly string[], options: { readonly yes?: true }, command: Command) => {
        const session = sessionOf(command);
        const runs: FlowRun[] = [];
        for (const name of names) runs.push(await findFlowRun(session, name));
        const which = runs.map(({ name }) => name).join(", ");
        const many = runs.length === 1 ? "the flow run" : `${runs.length} flow runs:`;
        await confirmOrFail(session, { question: `Delete ${many} ${which}?`, yes: options.yes });
        for (const { id } of runs) await session.client.flowRuns.delete(id);
        printDone(session, `Deleted ${many} ${which}`, { deleted: runs.map(({ id }) => id) });
      },
    );
}
