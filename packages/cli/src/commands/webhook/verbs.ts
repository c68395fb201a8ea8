import type { Webhook, WebhookWithToken } from "@orchestrator/contract";
import type { Command } from "commander";
import { collect } from "../../io/collect.ts";
import { examples, leaf } from "../../io/command.ts";
import { confirmOrFail } from "../../io/confirm.ts";
import { deleteCommand } from "../../io/delete-command.ts";
import { findNamed } from "../../io/find-named.ts";
import { parseWholeNumber } from "../../io/options.ts";
import { printDone, printOne, printRows } from "../../io/print.ts";
import { type CliSession, sessionOf } from "../../io/session.ts";
import { dim, green } from "../../output/style.ts";
import { timeAgo } from "../../output/time.ts";
import { addressOf } from "./webhook-address.ts";

const MOST = 200;

export function listWebhooksCommand(): Command {
  return leaf()
    .option("--limit <count>", "at most so many", parseWholeNumber(1), MOST)
    .addHelpText("after", examples("webhook ls"))
    .action(async ({ limit }: { readonly limit: number }, command: Command) => {
      const session = sessionOf(command);
      const rows = await collect(session.client.webhooks.each({ limit, sort: "NAME_ASC" }));
      printRows(session, rows, {
        columns: [
          { title: "Name", cell: ({ name }) => name },
          { title: "Event", cell: eventOf },
          { title: "State", cell: stateOf },
          { title: "Last request", cell: ({ last_received }) => timeAgo(last_received) },
          { title: "Outcome", cell: ({ last_status }) => last_status },
          { title: "Id", cell: ({ id }) => id },
        ],
        none: "There are no webhooks yet: `orchestrator webhook create NAME --event EVENT` makes one",
      });
    });
}

export function inspectWebhookCommand(): Command {
  return leaf()
    .argument("<webhook>", "its name or its id")
    .addHelpText("after", examples("webhook inspect github"))
    .action(async (name: string, _: unknown, command: Command) => {
      const session = sessionOf(command);
      const webhook = await findWebhook(session, name);
      printOne(session, webhook, {
        Name: webhook.name,
        About: webhook.description || null,
        Event: eventOf(webhook),
        Resource: webhook.resource === null ? null : JSON.stringify(webhook.resource),
        State: stateOf(webhook),
        Signed: webhook.signed ? `in ${webhook.signature_header ?? "x-hub-signature-256"}` : "no",
        "Rate limit": `${webhook.rate_limit} a minute`,
        "Last request": webhook.last_received,
        Outcome: webhook.last_status,
        Error: webhook.last_error,
        Id: webhook.id,
      });
    });
}

export function rotateWebhookTokenCommand(): Command {
  return leaf()
    .argument("<webhook>", "its name or its id")
    .option("-y, --yes", "do not ask")
    .addHelpText("after", examples("webhook rotate github"))
    .action(async (name: string, options: { readonly yes?: true }, command: Command) => {
      const session = sessionOf(command);
      const webhook = await findWebhook(session, name);
      await confirmOrFail(session, {
        question: `Give ${webhook.name} a new address? Whoever sends to the old one is refused.`,
        yes: options.yes,
      });
      const renewed: WebhookWithToken = await session.client.webhooks.rotate(webhook.id);
      printDone(
        session,
        `The new address, shown this once:\n${addressOf(session, renewed)}`,
        renewed,
      );
    });
}

export function deleteWebhookCommand(): Command {
  return deleteCommand({
    argument: ["<webhook>", "its name or its id"],
    example: "webhook delete github",
    find: findWebhook,
    describe: ({ name }) => `the webhook ${name}`,
    deleteRow: ({ client }, { id }) => client.webhooks.delete(id),
  });
}

function findWebhook({ client }: CliSession, name: string): Promise<Webhook> {
  return findNamed(
    {
      what: "webhook",
      read: (id) => client.webhooks.read(id),
      each: (wanted) =>
        client.webhooks.each(
          wanted === undefined ? {} : { webhooks: { name: { any_: [wanted] } } },
        ),
    },
    name,
  );
}

const eventOf = ({ event }: Webhook): string => event ?? dim("by its template");
const stateOf = ({ enabled }: Webhook): string => (enabled ? green("enabled") : dim("disabled"));
