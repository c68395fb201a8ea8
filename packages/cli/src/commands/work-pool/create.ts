import type { JsonObject } from "@orchestrator/contract";
import type { Command } from "commander";
import { examples, leaf } from "../../io/command.ts";
import { orNull } from "../../io/find.ts";
import { jsonObject, parseWholeNumber } from "../../io/options.ts";
import { printDone, say } from "../../io/print.ts";
import { sessionOf } from "../../io/session.ts";
import { UsageError } from "../../output/fail.ts";
import { defaultTemplate } from "./template.ts";

interface Options {
  readonly type: string;
  readonly description?: string;
  readonly baseJobTemplate?: JsonObject;
  readonly concurrencyLimit?: number;
  readonly paused?: true;
  readonly overwrite?: true;
}

export function createWorkPoolCommand(): Command {
  return leaf()
    .argument("<name>")
    .option("-t, --type <type>", "which kind of worker serves it", "process")
    .option("--description <text>")
    .option("--base-job-template <json>", "how runs are started; - or @file to read it", jsonObject)
    .option("--concurrency-limit <count>", "how many runs at once", parseWholeNumber(0))
    .option("--paused", "make it paused")
    .option("--overwrite", "change it if it is there")
    .addHelpText(
      "after",
      examples("work-pool create local", "work-pool create night --concurrency-limit 2"),
    )
    .action(async (name: string, options: Options, command: Command) => {
      const session = sessionOf(command);
      const { workPools } = session.client;
      const known = await orNull(workPools.read(name));
      if (known !== null && !options.overwrite)
        throw new UsageError(`There is a work pool ${name} already: change it with --overwrite`);
      if (known !== null && known.type !== options.type)
        throw new UsageError(`${name} is of the type ${known.type}, which cannot be changed`);
      const { description, concurrencyLimit, baseJobTemplate } = options;
      const fields = {
        ...(description !== undefined && { description }),
        ...(concurrencyLimit !== undefined && { concurrency_limit: concurrencyLimit }),
        base_job_template: baseJobTemplate ?? (await defaultTemplate(session, options.type)),
        is_paused: options.paused ?? false,
      };
      if (known === null) await workPools.create({ name, type: options.type, ...fields });
      else await workPools.update(name, fields);
      const text = `Work pool ${name} is ${known === null ? "there" : "changed"}`;
      printDone(session, text, await workPools.read(name));
      if (!session.json) say(`Serve it with: orchestrator worker start --pool ${name}`);
    });
}
