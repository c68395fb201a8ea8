// Block types with their schemas, and blocks. Secrets go along where the key of the source may read
// them.

import type { BlockDocument, BlockType, JsonObject } from "@orchestrator/contract";
import { writeJson } from "@orchestrator/exact-json";
import { collect } from "../../../io/collect.ts";
import { isApiError } from "../../../io/passing.ts";
import { plainText } from "../../block/plain-text.ts";
import type { Side } from "../sides.ts";
import { NotTransferable, type Transfer } from "../transfer-context.ts";
import { type FoundItem, referredFirst, type TransferKind } from "../transfer-kind.ts";

export const blockTypeKind: TransferKind<BlockType> = {
  kind: "block-type",
  find: async ({ client }) =>
    (await collect(client.blockTypes.each())).map((row) => ({
      id: row.id,
      name: row.slug,
      row,
      isPart: row.is_protected, // every server brings them along
    })),
  plan({ from, to }, { row: { id: ours, name, slug, ...texts } }) {
    const { logo_url, documentation_url, description, code_example } = texts;
    return async () => {
      const { id } = await to.client.blockTypes.create({
        name,
        slug,
        logo_url,
        documentation_url,
        description: plainText(description),
        code_example: plainText(code_example),
      });
      const wanted = { block_schemas: { block_type_id: { any_: [ours] } } };
      const schemas = await collect(from.client.blockSchemas.each(wanted));
      // The newest is the one that counts, so it comes last.
      for (const { fields, capabilities, version } of schemas.toSorted(byCreation)) {
        await to.client.blockSchemas.create({ block_type_id: id, fields, capabilities, version });
      }
      return { id };
    };
  },
};

const byCreation = (a: { readonly created: string }, b: { readonly created: string }): number =>
  a.created < b.created ? -1 : 1;

interface Block {
  readonly document: BlockDocument;
  /** Whether its secrets are masked. */
  readonly isMasked: boolean;
}

const FORBIDDEN = 403;
const MASK = "********";

export const blockKind: TransferKind<Block> = {
  kind: "block",
  find: async (side, isSource) => {
    if (!isSource) return listBlocks(side, false);
    try {
      return await listBlocks(side, true);
    } catch (error) {
      if (isApiError(error) && error.status === FORBIDDEN) return listBlocks(side, false);
      throw error;
    }
  },
  inOrder: (rows) => referredFirst(rows, ({ document }) => [...referencesOf(document).values()]),
  plan(transfer, { row: { document, isMasked } }) {
    const { to, ids } = transfer;
    const { name, block_type_id, block_schema, is_anonymous } = document;
    const typeId = ids.need(block_type_id, "its type");
    const data = dataFor(transfer, document);
    if (isMasked && writeJson(data).includes(MASK)) {
      throw new NotTransferable(
        "its secrets may not be read with the key of this profile: make it with `orchestrator block create`",
      );
    }
    return async () => {
      const schema =
        block_schema === null
          ? null
          : await to.client.blockSchemas.create({
              block_type_id: typeId,
              fields: block_schema.fields,
              capabilities: block_schema.capabilities,
              version: block_schema.version,
            });
      return to.client.blockDocuments.create({
        name,
        data,
        block_type_id: typeId,
        block_schema_id: schema?.id ?? null,
        is_anonymous,
      });
    };
  },
};

/** Anonymous ones as well: others may hold them. */
async function listBlocks({ client }: Side, hasSecrets: boolean): Promise<FoundItem<Block>[]> {
  const wanted = { block_documents: { is_anonymous: null }, include_secrets: hasSecrets };
  const documents = await collect(client.blockDocuments.each(wanted));
  return documents.map((document) => ({
    id: document.id,
    name: `${document.block_type?.slug ?? "?"}/${document.name}`,
    row: { document, isMasked: !hasSecrets },
  }));
}

/** The values, with the other server's documents where blocks stand within it. */
function dataFor({ ids }: Transfer, document: BlockDocument): JsonObject {
  const data: Record<string, JsonObject[string]> = { ...document.data };
  for (const [key, id] of referencesOf(document)) {
    data[key] = { $ref: { block_document_id: ids.need(id, `the block in its ${key}`) } };
  }
  return data;
}

function referencesOf({ block_document_references: held }: BlockDocument): Map<string, string> {
  return new Map(
    Object.entries(held).flatMap(([key, { block_document }]) => {
      const id = (block_document as { readonly id?: unknown } | undefined)?.id;
      return typeof id === "string" ? [[key, id] as const] : [];
    }),
  );
}
