import type { JsonObject, WorkPoolUpdate } from "@orchestrator/contract";
import type { Command } from "commander";
import { examples, leaf } from "../../io/command.ts";
import { confirmOrFail } from "../../io/confirm.ts";
import { jsonObject, parseWholeNumber } from "../../io/options.ts";
import { printDone } from "../../io/print.ts";
import { type CliSession, sessionOf } from "../../io/session.ts";
import { findPool } from "./find-pool.ts";

async function change(
  session: CliSession,
  name: string,
  { changes, text }: { readonly changes: WorkPoolUpdate; readonly text: string },
): Promise<void> {
  await findPool(session, name);
  await session.client.workPools.update(name, changes);
  printDone(session, text, await session.client.workPools.read(name));
}

export function pauseWorkPoolCommand(): Command {
  return leaf()
    .argument("<name>")
    .addHelpText("after", examples("work-pool pause local"))
    .action((name: string, _: unknown, command: Command) =>
      change(sessionOf(command), name, {
        changes: { is_paused: true },
        text: `Work pool ${name} is paused`,
      }),
    );
}

export function resumeWorkPoolCommand(): Command {
  return leaf()
    .argument("<name>")
    .addHelpText("after", examples("work-pool resume local"))
    .action((name: string, _: unknown, command: Command) =>
      change(sessionOf(command), name, {
        changes: { is_paused: false },
        text: `Work pool ${name} is active again`,
      }),
    );
}

interface UpdateOptions {
  readonly description?: string;
  readonly baseJobTemplate?: JsonObject;
  readonly concurrencyLimit?: number;
}

export function updateWorkPoolCommand(): Command {
  return leaf()
    .argument("<name>")
    .option("--description <text>")
    .option("--base-job-template <json>", "how runs are started; - or @file to read it", jsonObject)
    .option("--concurrency-limit <count>", "how many runs at once", parseWholeNumber(0))
    .addHelpText("after", examples("work-pool update local --base-job-template @template.json"))
    .action((name: string, options: UpdateOptions, command: Command) => {
      const { description, baseJobTemplate, concurrencyLimit } = options;
      const changes = {
        ...(description !== undefined && { description }),
        ...(baseJobTemplate !== undefined && { base_job_template: baseJobTemplate }),
        ...(concurrencyLimit !== undefined && { concurrency_limit: concurrencyLimit }),
      };
      if (Object.keys(changes).length === 0)
        command.error("error: say what to change, for example --description", { exitCode: 2 });
      return change(sessionOf(command), name, { changes, text: `Work pool ${name} is changed` });
    });
}

export function setWorkPoolLimitCommand(): Command {
  return leaf()
    .argument("<name>")
    .argument("<count>", "0 for none at all", parseWholeNumber(0))
    .addHelpText("after", examples("work-pool set-concurrency-limit local 4"))
    .action((name: string, limit: number, _: unknown, command: Command) =>
      change(sessionOf(command), name, {
        changes: { concurrency_limit: limit },
        text: `Work pool ${name} runs at most ${limit} at once`,
      }),
    );
}

export function clearWorkPoolLimitCommand(): Command {
  return leaf()
    .argument("<name>")
    .addHelpText("after", examples("work-pool clear-concurrency-limit local"))
    .action((name: string, _: unknown, command: Command) =>
      change(sessionOf(command), name, {
        changes: { concurrency_limit: null },
        text: `Work pool ${name} has no limit now`,
      }),
    );
}

export function deleteWorkPoolCommand(): Command {
  return leaf()
    .argument("<name>")
    .option("-y, --yes", "do not ask")
    .addHelpText("after", examples("work-pool delete local"))
    .action(async (name: string, options: { readonly yes?: true }, command: Command) => {
      const session = sessionOf(command);
      const { id } = await findPool(session, name);
      await confirmOrFail(session, {
        question: `Delete the work pool ${name} with its queues?`,
        yes: options.yes,
      });
      await session.client.workPools.delete(name);
      printDone(session, `Deleted the work pool ${name}`, { deleted: id });
    });
}
