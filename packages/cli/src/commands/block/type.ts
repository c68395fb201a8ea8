import type { Command } from "commander";
import { collect } from "../../io/collect.ts";
import { examples, leaf } from "../../io/command.ts";
import { print, printOne, printRows } from "../../io/print.ts";
import { sessionOf } from "../../io/session.ts";
import { tableText } from "../../output/table.ts";
import { type BlockFieldSummary, fieldsOfBlockType, findBlockType } from "./find-block.ts";

export function listBlockTypesCommand(): Command {
  return leaf()
    .addHelpText("after", examples("block type ls"))
    .action(async (_: unknown, command: Command) => {
      const session = sessionOf(command);
      const rows = await collect(session.client.blockTypes.each());
      printRows(session, rows, {
        columns: [
          { title: "Slug", cell: ({ slug }) => slug },
          { title: "Name", cell: ({ name }) => name },
          { title: "About", cell: ({ description }) => firstLine(description) },
        ],
        none: "There are no types of blocks",
      });
    });
}

export function inspectBlockTypeCommand(): Command {
  return leaf()
    .argument("<slug>")
    .addHelpText("after", examples("block type inspect slack-webhook"))
    .action(async (slug: string, _: unknown, command: Command) => {
      const session = sessionOf(command);
      const type = await findBlockType(session, slug);
      const fields = await fieldsOfBlockType(session, type);
      printOne(
        session,
        { ...type, fields: fields.map(told) },
        {
          Slug: type.slug,
          Name: type.name,
          About: firstLine(type.description),
          Id: type.id,
        },
      );
      if (session.json || fields.length === 0) return;
      print(
        `\n${tableText(
          [
            { title: "Field", cell: ({ name }) => name },
            { title: "Type", cell: ({ kind }) => kind },
            { title: "Required", cell: ({ isRequired }) => (isRequired ? "yes" : "") },
            { title: "Secret", cell: ({ isSecret }) => (isSecret ? "yes" : "") },
            { title: "About", cell: ({ about }) => firstLine(about) },
          ],
          fields,
        )}`,
      );
    });
}

/** A field in the words of the API. */
const told = ({ name, kind, isRequired, isSecret, about }: BlockFieldSummary) => ({
  name,
  type: kind,
  required: isRequired,
  secret: isSecret,
  description: about,
});

const firstLine = (text: string | null): string => text?.split("\n")[0] ?? "";
