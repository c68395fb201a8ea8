import type { Automation } from "@orchestrator/contract";
import type { Command } from "commander";
import { collect } from "../../io/collect.ts";
import { examples, leaf } from "../../io/command.ts";
import { deleteCommand } from "../../io/delete-command.ts";
import { parseWholeNumber } from "../../io/options.ts";
import { print, printOne, printRows } from "../../io/print.ts";
import { sessionOf } from "../../io/session.ts";
import { YAML_NUMBERS } from "../../io/yaml-numbers.ts";
import { dim, green } from "../../output/style.ts";
import { timeAgo } from "../../output/time.ts";
import { findAutomation } from "./find-automation.ts";

const MOST = 200;

export function listAutomationsCommand(): Command {
  return leaf()
    .option("--limit <count>", "at most so many", parseWholeNumber(1), MOST)
    .addHelpText("after", examples("automation ls"))
    .action(async ({ limit }: { readonly limit: number }, command: Command) => {
      const session = sessionOf(command);
      const rows = await collect(session.client.automations.each({ limit, sort: "NAME_ASC" }));
      printRows(session, rows, {
        columns: [
          { title: "Name", cell: ({ name }) => name },
          { title: "State", cell: stateOf },
          { title: "Trigger", cell: triggerOf },
          { title: "Actions", cell: ({ actions }) => actions.map(({ type }) => type).join(", ") },
          { title: "Updated", cell: ({ updated }) => timeAgo(updated) },
          { title: "Id", cell: ({ id }) => id },
        ],
        none: "There are no automations yet: `orchestrator automation create -f FILE` makes one",
      });
    });
}

export function inspectAutomationCommand(): Command {
  return leaf()
    .argument("<automation>", "its name or its id")
    .addHelpText(
      "after",
      examples("automation inspect 'tell ops'", "automation inspect 'tell ops' --json"),
    )
    .action(async (name: string, _: unknown, command: Command) => {
      const session = sessionOf(command);
      const automation = await findAutomation(session, name);
      printOne(session, automation, {
        Name: automation.name,
        About: automation.description || null,
        State: stateOf(automation),
        Tags: automation.tags.join(", ") || null,
        Created: automation.created,
        Updated: automation.updated,
        Id: automation.id,
      });
      if (session.json) return;
      const { stringify } = await import("yaml");
      const { trigger, actions, actions_on_trigger, actions_on_resolve } = automation;
      const parts = { trigger, actions, actions_on_trigger, actions_on_resolve };
      const filled = Object.entries(parts).filter(
        ([, part]) => !Array.isArray(part) || part.length > 0,
      );
      print(`\n${stringify(Object.fromEntries(filled), YAML_NUMBERS).trimEnd()}`);
    });
}

export function deleteAutomationCommand(): Command {
  return deleteCommand({
    argument: ["<automation>", "its name or its id"],
    example: "automation delete 'tell ops'",
    find: findAutomation,
    describe: ({ name }) => `the automation ${name}`,
    deleteRow: ({ client }, { id }) => client.automations.delete(id),
  });
}

const stateOf = ({ enabled }: Automation): string => (enabled ? green("active") : dim("paused"));

function triggerOf({ trigger }: Automation): string {
  if (!("expect" in trigger)) return trigger.type;
  const names = trigger.expect?.join(", ") || "any event";
  return trigger.posture === "Proactive" ? `no ${names}` : names;
}
