import type { BlockType } from "@orchestrator/contract";
import type { Command } from "commander";
import { collect } from "../../io/collect.ts";
import { examples, leaf } from "../../io/command.ts";
import { orNull } from "../../io/find.ts";
import { printRows } from "../../io/print.ts";
import { withPureStdout } from "../../io/pure-stdout.ts";
import { type CliSession, sessionOf } from "../../io/session.ts";
import { UsageError } from "../../output/fail.ts";
import type { BlockDefinition } from "./block-definitions.ts";
import { plainText } from "./plain-text.ts";

interface Registered {
  readonly slug: string;
  readonly type: "created" | "updated" | "unchanged";
  readonly schema: "created" | "unchanged";
  readonly block_type_id: string;
  readonly block_schema_id: string;
}

export function registerBlockTypesCommand(): Command {
  return leaf()
    .requiredOption(
      "-f, --file <path>",
      "YAML or JSON, - for the standard input; or a module of JavaScript or TypeScript",
    )
    .addHelpText(
      "after",
      `
A type has a name, a schema (JSON schema; in a module zod, too) and, unless they are to be seen, secrets:

  name: Warehouse
  description: Where the numbers are
  schema:
    properties: { host: { type: string }, password: { type: string } }
    required: [host, password]
  secrets: [password]

Further keys: slug, capabilities, version, documentation_url, logo_url, code_example. A file may hold a list, a module may export
several. Registered again, nothing changes; another schema becomes the newest, and blocks keep the one they were made with.
${examples("block register -f warehouse.yaml", "block register --file blocks.ts")}`,
    )
    .action(async ({ file }: { readonly file: string }, command: Command) => {
      const session = sessionOf(command);
      const { readDefinitions } = await import("./block-definitions.ts");
      const definitions = await withPureStdout(() => readDefinitions(file));
      const rows: Registered[] = [];
      for (const definition of definitions) rows.push(await put(session, definition));
      printRows(session, rows, {
        columns: [
          { title: "Type", cell: ({ slug }) => slug },
          { title: "", cell: ({ type }) => type },
          { title: "Schema", cell: ({ schema }) => schema },
          { title: "Id", cell: ({ block_type_id }) => block_type_id },
        ],
        none: "The file describes nothing",
      });
    });
}

async function put({ client }: CliSession, definition: BlockDefinition): Promise<Registered> {
  const { name, slug, texts, fields, capabilities, version } = definition;
  const known = await orNull(client.blockTypes.readBySlug(slug));
  if (known?.is_protected) {
    throw new UsageError(`The type ${slug} came with the server: choose another slug`);
  }
  const type = known ?? (await client.blockTypes.create({ name, slug, ...texts }));
  const isChanged = known !== null && differs(known, texts);
  if (isChanged) await client.blockTypes.update(type.id, texts);
  const ofType = { block_schemas: { block_type_id: { any_: [type.id] } } };
  const before = await collect(client.blockSchemas.each(ofType));
  const schema = await client.blockSchemas.create({
    block_type_id: type.id,
    fields,
    capabilities: [...capabilities],
    ...(version !== null && { version }),
  });
  return {
    slug,
    type: known === null ? "created" : isChanged ? "updated" : "unchanged",
    schema: before.some(({ id }) => id === schema.id) ? "unchanged" : "created",
    block_type_id: type.id,
    block_schema_id: schema.id,
  };
}

const differs = (known: BlockType, texts: BlockDefinition["texts"]): boolean =>
  Object.entries(texts).some(([key, text]) => plainText(known[key as keyof typeof texts]) !== text);
