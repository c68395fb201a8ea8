import type { JsonObject } from "@orchestrator/contract";
import type { Command } from "commander";
import { examples, leaf } from "../../io/command.ts";
import { printJson } from "../../io/print.ts";
import { type CliSession, sessionOf } from "../../io/session.ts";
import { suggestion } from "../../output/alike.ts";
import { UsageError } from "../../output/fail.ts";

interface Kind {
  readonly default_base_job_configuration: JsonObject;
}

export function workPoolTemplateCommand(): Command {
  return leaf()
    .requiredOption("-t, --type <type>", "a type of work pool, such as process")
    .addHelpText(
      "after",
      examples("work-pool get-default-base-job-template --type process > template.json"),
    )
    .action(async ({ type }: { readonly type: string }, command: Command) => {
      printJson(await defaultTemplate(sessionOf(command), type));
    });
}

/** The template that the server knows for a type. */
export async function defaultTemplate({ client }: CliSession, type: string): Promise<JsonObject> {
  const view = await client.collections.readView("aggregate-worker-metadata");
  const kinds = new Map(
    Object.values(view).flatMap((kindsOfPackage) =>
      Object.entries(kindsOfPackage as unknown as Readonly<Record<string, Kind>>),
    ),
  );
  const kind = kinds.get(type);
  if (kind !== undefined) return kind.default_base_job_configuration;
  const known = [...kinds.keys()];
  const hint = suggestion(type, known) || ` There are ${known.join(", ")}.`;
  throw new UsageError(
    `The server knows no type ${type}.${hint} A pool of another type needs --base-job-template.`,
  );
}
