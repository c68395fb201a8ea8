import type { ConcurrencyLimitState } from "@orchestrator/contract";
import { writeJson } from "@orchestrator/exact-json";
import type { Command } from "commander";
import { collect } from "../../io/collect.ts";
import { examples, leaf } from "../../io/command.ts";
import { deleteCommand } from "../../io/delete-command.ts";
import { parseWholeNumber } from "../../io/options.ts";
import { printOne, printRows } from "../../io/print.ts";
import { sessionOf } from "../../io/session.ts";
import { dim, green } from "../../output/style.ts";
import { timeAgo } from "../../output/time.ts";
import { findLimit } from "./find-limit.ts";

const MOST = 200;

export function listGlobalLimitsCommand(): Command {
  return leaf()
    .option("--limit <count>", "at most so many", parseWholeNumber(1), MOST)
    .addHelpText("after", examples("gcl ls"))
    .action(async ({ limit }: { readonly limit: number }, command: Command) => {
      const session = sessionOf(command);
      const rows = await collect(session.client.concurrencyLimits.each({ limit }));
      printRows(session, rows, {
        columns: [
          { title: "Name", cell: (row) => row.name },
          { title: "In use", cell: (row) => row.active_slots, right: true },
          { title: "Limit", cell: (row) => row.limit, right: true },
          { title: "Free again", cell: decayText },
          { title: "State", cell: stateText },
          { title: "Updated", cell: (row) => timeAgo(row.updated) },
        ],
        none: "There are no limits yet: `orchestrator gcl create NAME --limit 5` makes one",
      });
    });
}

export function inspectGlobalLimitCommand(): Command {
  return leaf()
    .argument("<name>", "or its id")
    .addHelpText("after", examples("gcl inspect database"))
    .action(async (name: string, _: unknown, command: Command) => {
      const session = sessionOf(command);
      const limit = await findLimit(session, name);
      printOne(session, limit, {
        Name: limit.name,
        Limit: limit.limit,
        "In use": limit.active_slots,
        "Free again": decayText(limit),
        Key: limit.key === null ? null : writeJson(limit.key),
        State: stateText(limit),
        Created: limit.created,
        Updated: limit.updated,
        Id: limit.id,
      });
    });
}

export function listSlotHoldersCommand(): Command {
  return leaf()
    .argument("<name>", "or its id")
    .option("--limit <count>", "at most so many", parseWholeNumber(1), MOST)
    .addHelpText("after", examples("gcl holders database"))
    .action(async (name: string, { limit }: { readonly limit: number }, command: Command) => {
      const session = sessionOf(command);
      const { id } = await findLimit(session, name);
      const rows = await collect(session.client.concurrencyLimits.eachHolder(id, { limit }));
      printRows(session, rows, {
        columns: [
          { title: "Holder", cell: ({ holder }) => holder && `${holder.type} ${holder.id}` },
          { title: "Slots", cell: ({ slots }) => slots, right: true },
          { title: "Key", cell: ({ key }) => key },
          { title: "Since", cell: ({ acquired }) => timeAgo(acquired) },
          { title: "Expires", cell: ({ expires }) => timeAgo(expires) },
          { title: "Lease", cell: ({ lease_id }) => lease_id },
        ],
        none: "Nobody has slots of it",
      });
    });
}

export function deleteGlobalLimitCommand(): Command {
  return deleteCommand({
    argument: ["<name>", "or its id"],
    example: "gcl delete database",
    find: findLimit,
    describe: ({ name }) => `the limit ${name}`,
    deleteRow: ({ client }, { id }) => client.concurrencyLimits.delete(id),
  });
}

const stateText = ({ active }: ConcurrencyLimitState): string =>
  active ? green("enabled") : dim("disabled");

const decayText = ({ slot_decay_per_second: rate }: ConcurrencyLimitState): string =>
  rate === 0 ? "when given back" : `${rate}/s`;
