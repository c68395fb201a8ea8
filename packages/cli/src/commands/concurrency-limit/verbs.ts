import type { TagLimit } from "@orchestrator/contract";
import type { Command } from "commander";
import { collect } from "../../io/collect.ts";
import { examples, leaf } from "../../io/command.ts";
import { confirmOrFail } from "../../io/confirm.ts";
import { deleteCommand } from "../../io/delete-command.ts";
import { orNull } from "../../io/find.ts";
import { parseWholeNumber } from "../../io/options.ts";
import { printDone, printOne, printRows } from "../../io/print.ts";
import { type CliSession, sessionOf } from "../../io/session.ts";
import { suggestion } from "../../output/alike.ts";
import { UsageError } from "../../output/fail.ts";
import { timeAgo } from "../../output/time.ts";

const MOST = 200;

export function listTagLimitsCommand(): Command {
  return leaf()
    .option("--limit <count>", "at most so many", parseWholeNumber(1), MOST)
    .addHelpText("after", examples("concurrency-limit ls"))
    .action(async ({ limit }: { readonly limit: number }, command: Command) => {
      const session = sessionOf(command);
      printRows(session, await collect(session.client.tagLimits.each({ limit })), {
        columns: [
          { title: "Tag", cell: ({ tag }) => tag },
          { title: "In use", cell: ({ active_slots }) => active_slots.length, right: true },
          { title: "Limit", cell: ({ concurrency_limit }) => concurrency_limit, right: true },
          { title: "Updated", cell: ({ updated }) => timeAgo(updated) },
        ],
        none: "No tag has a limit yet: `orchestrator concurrency-limit create TAG 5` makes one",
      });
    });
}

export function inspectTagLimitCommand(): Command {
  return leaf()
    .argument("<tag>")
    .addHelpText("after", examples("concurrency-limit inspect database"))
    .action(async (tag: string, _: unknown, command: Command) => {
      const session = sessionOf(command);
      const limit = await findLimit(session, tag);
      printOne(session, limit, {
        Tag: limit.tag,
        Limit: limit.concurrency_limit,
        "In use": limit.active_slots.length,
        "Task runs": limit.active_slots.join(", ") || null,
        Created: limit.created,
        Updated: limit.updated,
        Id: limit.id,
      });
    });
}

export function createTagLimitCommand(): Command {
  return leaf()
    .argument("<tag>")
    .argument("<slots>", "how many task runs with it may run at once", parseWholeNumber(0))
    .addHelpText("after", examples("concurrency-limit create database 5"))
    .action(async (tag: string, slots: number, _: unknown, command: Command) => {
      const session = sessionOf(command);
      const limit = await session.client.tagLimits.set({ tag, concurrency_limit: slots });
      printDone(session, `Task runs tagged ${tag} run ${slots} at once`, limit);
    });
}

export function resetTagLimitCommand(): Command {
  return leaf()
    .argument("<tag>")
    .option("-y, --yes", "do not ask")
    .addHelpText("after", examples("concurrency-limit reset database"))
    .action(async (tag: string, options: { readonly yes?: true }, command: Command) => {
      const session = sessionOf(command);
      const limit = await findLimit(session, tag);
      const count = limit.active_slots.length;
      await confirmOrFail(session, {
        question: `Free ${count} slots of ${tag}? Task runs that have them go on.`,
        yes: options.yes,
      });
      await session.client.tagLimits.reset(tag);
      printDone(session, `Freed ${count} slots of ${tag}`, { ...limit, active_slots: [] });
    });
}

export function deleteTagLimitCommand(): Command {
  return deleteCommand({
    argument: ["<tag>", ""],
    example: "concurrency-limit delete database",
    find: findLimit,
    describe: ({ tag }) => `the limit of the tag ${tag}`,
    deleteRow: ({ client }, { id }) => client.tagLimits.delete(id),
  });
}

async function findLimit({ client }: CliSession, tag: string): Promise<TagLimit> {
  const limit = await orNull(client.tagLimits.readByTag(tag));
  if (limit !== null) return limit;
  const tags = (await collect(client.tagLimits.each())).map((one) => one.tag);
  const hint =
    suggestion(tag, tags) || " `orchestrator concurrency-limit ls` lists those that have one.";
  throw new UsageError(`The tag ${tag} has no limit.${hint}`);
}
