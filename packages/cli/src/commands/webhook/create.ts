import type { WebhookCreate } from "@orchestrator/contract";
import type { Command } from "commander";
import { askSecret } from "../../io/ask-secret.ts";
import { examples, leaf } from "../../io/command.ts";
import { textOrFile } from "../../io/options.ts";
import { printDone } from "../../io/print.ts";
import { readObjectFile } from "../../io/read-document.ts";
import { type CliSession, sessionOf } from "../../io/session.ts";
import { UsageError } from "../../output/fail.ts";
import { addressOf } from "./webhook-address.ts";

interface Options {
  readonly file?: string;
  readonly event?: string;
  readonly resource?: string;
  readonly template?: string;
  readonly acceptsGet?: true;
  readonly secret?: string | true;
}

export function createWebhookCommand(): Command {
  return leaf()
    .argument("<name>")
    .option("-f, --file <path>", "a file with its fields, YAML or JSON")
    .option("--event <name>", "what requests become")
    .option("--resource <id>", "what the events happen to; with --event")
    .option(
      "--template <text>",
      "makes an event of a request, in place of the two; @file to read it",
    )
    .option("--accepts-get", "a GET request makes an event, too")
    .option(
      "--secret [VARIABLE]",
      "requests must be signed with what the variable holds, or what is asked for",
    )
    .addHelpText(
      "after",
      examples(
        "webhook create door --event door.opened --resource door.1",
        "webhook create github --template @github.txt --secret GITHUB_SECRET",
      ),
    )
    .action(async (name: string, options: Options, command: Command) => {
      const session = sessionOf(command);
      const { file, event, resource, template, acceptsGet } = options;
      const secret = await secretOf(session, options);
      const webhook = await session.client.webhooks.create({
        ...(file !== undefined && (await readObjectFile(file))),
        name,
        ...(event !== undefined && { event }),
        ...(resource !== undefined && { resource: { "orchestrator.resource.id": resource } }),
        ...(template !== undefined && { template: textOrFile(template) }),
        ...(acceptsGet && { accepts_get: true }),
        ...(secret !== undefined && { secret }),
      } as WebhookCreate);
      const text = `Created the webhook ${name}. Its address, shown this once:`;
      printDone(session, `${text}\n${addressOf(session, webhook)}`, webhook);
    });
}

async function secretOf(session: CliSession, { secret }: Options): Promise<string | undefined> {
  if (secret === undefined) return undefined;
  if (secret === true) {
    const instead = "name a variable of the environment, as in --secret VARIABLE";
    return askSecret(session, { question: "Secret", instead });
  }
  const value = process.env[secret];
  if (value !== undefined && value !== "") return value;
  throw new UsageError(
    `The environment has no ${secret}, which is to be the secret of the webhook`,
  );
}
