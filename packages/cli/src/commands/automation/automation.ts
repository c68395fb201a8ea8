import { type Word, word } from "../../word.ts";

const change = () => import("./change.ts");
const simulate = () => import("./simulate.ts");
const verbs = () => import("./verbs.ts");

export const AUTOMATION: readonly Word[] = [
  word("ls", "List automations", async () => (await verbs()).listAutomationsCommand()),
  word("inspect", "Show an automation", async () => (await verbs()).inspectAutomationCommand()),
  word("create", "Create automations from a file, which holds one or a list", async () =>
    (await change()).createAutomationCommand(),
  ),
  word("update", "Change an automation to what a file says", async () =>
    (await change()).updateAutomationCommand(),
  ),
  word("pause", "Keep an automation from acting", async () =>
    (await change()).switchAutomationCommand(false),
  ),
  word("resume", "Let an automation act again", async () =>
    (await change()).switchAutomationCommand(true),
  ),
  word(
    "simulate",
    "Show what a trigger would have done with past or given events; nothing is done",
    async () => (await simulate()).simulateAutomationCommand(),
  ),
  word("trace", "Show when an automation fired lately, and when it nearly did", async () =>
    (await simulate()).traceAutomationCommand(),
  ),
  word("delete", "Delete an automation", async () => (await verbs()).deleteAutomationCommand()),
];
