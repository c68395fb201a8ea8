import type { Automation, AutomationCreate, AutomationReplace } from "@orchestrator/contract";
import type { Command } from "commander";
import { examples, leaf } from "../../io/command.ts";
import { print, printDone, printJson } from "../../io/print.ts";
import { readObjectFile, readObjects } from "../../io/read-document.ts";
import { sessionOf } from "../../io/session.ts";
import { findAutomation } from "./find-automation.ts";

const FILE =
  "YAML or JSON, - for the standard input; ${env:NAME} stands for a variable of the environment";

export function createAutomationCommand(): Command {
  return leaf()
    .requiredOption("-f, --file <path>", FILE)
    .addHelpText("after", examples("automation create -f tell-ops.yaml"))
    .action(async ({ file }: { readonly file: string }, command: Command) => {
      const session = sessionOf(command);
      const created: Automation[] = [];
      for (const entry of await readObjects(file)) {
        const automation = await session.client.automations.create(
          entry as unknown as AutomationCreate,
        );
        created.push(automation);
        if (!session.json) print(`Created the automation ${automation.name} (${automation.id})`);
      }
      if (session.json) printJson(created.length === 1 ? created[0] : created);
    });
}

export function updateAutomationCommand(): Command {
  return leaf()
    .argument("<automation>", "its name or its id")
    .requiredOption("-f, --file <path>", FILE)
    .addHelpText("after", examples("automation update 'tell ops' -f tell-ops.yaml"))
    .action(async (name: string, { file }: { readonly file: string }, command: Command) => {
      const session = sessionOf(command);
      const { automations } = session.client;
      const { id } = await findAutomation(session, name);
      await automations.replace(id, settable(await readObjectFile(file)));
      const automation = await automations.read(id);
      printDone(session, `Changed the automation ${automation.name}`, automation);
    });
}

/** What the server alone sets may stand in the file, as `inspect --json` has shown it. */
function settable(entry: Readonly<Record<string, unknown>>): AutomationReplace {
  const { id: _id, created: _created, updated: _updated, ...rest } = entry;
  return rest as unknown as AutomationReplace;
}

export function switchAutomationCommand(enabled: boolean): Command {
  const verb = enabled ? "resume" : "pause";
  return leaf()
    .argument("<automation>", "its name or its id")
    .addHelpText("after", examples(`automation ${verb} 'tell ops'`))
    .action(async (name: string, _: unknown, command: Command) => {
      const session = sessionOf(command);
      const automation = await findAutomation(session, name);
      await session.client.automations.switch(automation.id, { enabled });
      const text = `The automation ${automation.name} is ${enabled ? "active" : "paused"}`;
      printDone(session, text, { ...automation, enabled });
    });
}
