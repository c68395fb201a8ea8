import type { Command } from "commander";
import { examples, leaf } from "../../io/command.ts";
import { confirmOrFail } from "../../io/confirm.ts";
import { findDeployment } from "../../io/find.ts";
import { printDone } from "../../io/print.ts";
import { sessionOf } from "../../io/session.ts";

export function pauseDeploymentCommand(): Command {
  return leaf()
    .argument("<deployment>", "flow/deployment, or its id")
    .addHelpText("after", examples("deployment pause etl/nightly"))
    .action(async (name: string, _: unknown, command: Command) => {
      const session = sessionOf(command);
      const { id } = await findDeployment(session, name);
      await session.client.deployments.pause(id);
      const text = `${name} is paused: \`orchestrator deployment resume ${name}\` lets it go on`;
      printDone(session, text, await session.client.deployments.read(id));
    });
}

export function resumeDeploymentCommand(): Command {
  return leaf()
    .argument("<deployment>", "flow/deployment, or its id")
    .addHelpText("after", examples("deployment resume etl/nightly"))
    .action(async (name: string, _: unknown, command: Command) => {
      const session = sessionOf(command);
      const { id } = await findDeployment(session, name);
      await session.client.deployments.resume(id);
      printDone(session, `${name} is active again`, await session.client.deployments.read(id));
    });
}

export function deleteDeploymentCommand(): Command {
  return leaf()
    .argument("<deployment>", "flow/deployment, or its id")
    .option("-y, --yes", "do not ask")
    .addHelpText(
      "after",
      examples("deployment delete etl/nightly", "deployment delete etl/nightly -y"),
    )
    .action(async (name: string, options: { readonly yes?: true }, command: Command) => {
      const session = sessionOf(command);
      const { id } = await findDeployment(session, name);
      await confirmOrFail(session, {
        question: `Delete the deployment ${name}?`,
        yes: options.yes,
      });
      await session.client.deployments.delete(id);
      printDone(session, `Deleted the deployment ${name}`, { deleted: id });
    });
}
