import type { BlockDocument } from "@orchestrator/contract";
import { writeJson } from "@orchestrator/exact-json";
import type { Command } from "commander";
import { collect } from "../../io/collect.ts";
import { examples, leaf } from "../../io/command.ts";
import { deleteCommand } from "../../io/delete-command.ts";
import { parseWholeNumber } from "../../io/options.ts";
import { printOne, printRows } from "../../io/print.ts";
import { sessionOf } from "../../io/session.ts";
import { timeAgo } from "../../output/time.ts";
import { blockName, findBlock } from "./find-block.ts";

const MOST = 200;

interface ListOptions {
  readonly type?: string;
  readonly limit: number;
}

export function listBlocksCommand(): Command {
  return leaf()
    .option("--type <slug>", "only those of a type")
    .option("--limit <count>", "at most so many", parseWholeNumber(1), MOST)
    .addHelpText("after", examples("block ls", "block ls --type slack-webhook --json"))
    .action(async ({ type, limit }: ListOptions, command: Command) => {
      const session = sessionOf(command);
      const rows = await collect(
        session.client.blockDocuments.each({
          limit,
          sort: "BLOCK_TYPE_AND_NAME_ASC",
          include_data: session.json,
          ...(type !== undefined && { block_types: { slug: { any_: [type] } } }),
        }),
      );
      printRows(session, rows, {
        columns: [
          { title: "Type", cell: ({ block_type }) => block_type?.slug },
          { title: "Name", cell: ({ name }) => name },
          { title: "Updated", cell: ({ updated }) => timeAgo(updated) },
          { title: "Id", cell: ({ id }) => id },
        ],
        none: "There are no blocks yet: `orchestrator block create TYPE NAME` makes one, `orchestrator block type ls` lists the types",
      });
    });
}

export function inspectBlockCommand(): Command {
  return leaf()
    .argument("<type/name>", "or its id")
    .addHelpText("after", examples("block inspect slack-webhook/ops"))
    .action(async (name: string, _: unknown, command: Command) => {
      const session = sessionOf(command);
      const block = await findBlock(session, name);
      printOne(session, block, {
        Name: blockName(block),
        ...dataOf(block),
        Created: block.created,
        Updated: block.updated,
        Id: block.id,
      });
    });
}

const dataOf = ({ data }: BlockDocument): Record<string, string> =>
  Object.fromEntries(
    Object.entries(data).map(([name, value]) => [
      name,
      typeof value === "string" ? value : writeJson(value),
    ]),
  );

export function deleteBlockCommand(): Command {
  return deleteCommand({
    argument: ["<type/name>", "or its id"],
    example: "block delete slack-webhook/ops",
    find: findBlock,
    describe: (block) => `the block ${blockName(block)}`,
    deleteRow: ({ client }, { id }) => client.blockDocuments.delete(id),
  });
}
