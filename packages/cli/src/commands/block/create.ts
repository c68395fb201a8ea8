import type { Command } from "commander";
import { examples, leaf } from "../../io/command.ts";
import { printDone } from "../../io/print.ts";
import { sessionOf } from "../../io/session.ts";
import { type BlockValueOptions, blockValues, withBlockValueOptions } from "./block-values.ts";
import { fieldsOfBlockType, findBlockType } from "./find-block.ts";

export function createBlockCommand(): Command {
  return withBlockValueOptions(
    leaf()
      .argument("<type>", "the slug of its type, as `block type ls` shows it")
      .argument("<name>", "lower case letters, digits and hyphens"),
  )
    .addHelpText(
      "after",
      `\nIn files and values, \${env:NAME} stands for a variable of the environment. Secrets that must be there and are not
given are asked for.\n${examples(
        "block create slack-webhook ops --secret url",
        "block create slack-webhook ops --secret url=SLACK_URL",
        "block create smtp-email mail -f mail.yaml",
      )}`,
    )
    .action(async (slug: string, name: string, options: BlockValueOptions, command: Command) => {
      const session = sessionOf(command);
      const type = await findBlockType(session, slug);
      const fields = await fieldsOfBlockType(session, type);
      const data = await blockValues(session, options, fields);
      const block = await session.client.blockDocuments.create({
        name,
        data,
        block_type_id: type.id,
      });
      printDone(session, `Created the block ${type.slug}/${name} (${block.id})`, block);
    });
}
