import type { JsonObject } from "@orchestrator/contract";
import type { Command } from "commander";
import { collect } from "../../io/collect.ts";
import { examples, leaf } from "../../io/command.ts";
import { jsonObject, parseWholeNumber, textPair } from "../../io/options.ts";
import { printDone, printRows } from "../../io/print.ts";
import { sessionOf } from "../../io/session.ts";
import { toWholeSeconds } from "../../output/time.ts";
import { eventLabel, resourceText } from "./event-line.ts";
import { type FilterOptions, filterOf, withFilterOptions } from "./filter-options.ts";

const MOST = 50;

export function listEventsCommand(): Command {
  return withFilterOptions(leaf())
    .option("--limit <count>", "at most so many", parseWholeNumber(1), MOST)
    .addHelpText(
      "after",
      examples(
        "event ls --event 'orchestrator.monitor.*'",
        "event ls --since 1h --text '+failed' --json",
      ),
    )
    .action(async (options: FilterOptions & { readonly limit: number }, command: Command) => {
      const session = sessionOf(command);
      const { limit } = options;
      const rows = await collect(session.client.events.each({ filter: filterOf(options), limit }));
      printRows(session, rows, {
        columns: [
          { title: "Occurred", cell: ({ occurred }) => toWholeSeconds(occurred) },
          { title: "Event", cell: ({ event }) => event },
          { title: "Resource", cell: ({ resource }) => resourceText(resource) },
          { title: "Id", cell: ({ id }) => id, spare: true },
        ],
        none: "There are no such events",
      });
    });
}

interface EmitOptions {
  readonly resource: string;
  readonly resourceName?: string;
  readonly label?: Readonly<Record<string, string>>;
  readonly payload?: JsonObject;
}

export function emitEventCommand(): Command {
  return leaf()
    .argument("<event>", "its name, such as shop.order.paid")
    .requiredOption("-r, --resource <id>", "what it happened to, such as shop.order.17")
    .option("--resource-name <name>", "what people call it")
    .option("--label <name=value>", "another label of the resource; may be repeated", textPair)
    .option("--payload <json>", "what there is to say about it; - or @file to read it", jsonObject)
    .addHelpText(
      "after",
      examples(
        `event emit shop.order.paid -r shop.order.17 --label shop=eu-west --payload '{"amount": 12}'`,
      ),
    )
    .action(async (name: string, options: EmitOptions, command: Command) => {
      const session = sessionOf(command);
      const event = {
        id: crypto.randomUUID(),
        occurred: new Date().toISOString(),
        event: name,
        resource: {
          "orchestrator.resource.id": options.resource,
          ...(options.resourceName !== undefined && {
            "orchestrator.resource.name": options.resourceName,
          }),
          ...options.label,
        },
        payload: options.payload ?? {},
      };
      await session.client.events.create([event]);
      printDone(
        session,
        `Emitted ${name} for ${eventLabel(event.resource, "id")} (${event.id})`,
        event,
      );
    });
}
