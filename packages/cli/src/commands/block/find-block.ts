import type { BlockDocument, BlockSchema, BlockType } from "@orchestrator/contract";
import { collect } from "../../io/collect.ts";
import { isUuid, orNull } from "../../io/find.ts";
import type { CliSession } from "../../io/session.ts";
import { suggestion } from "../../output/alike.ts";
import { UsageError } from "../../output/fail.ts";

export const blockName = ({ name, block_type }: BlockDocument): string =>
  `${block_type?.slug ?? "?"}/${name}`;

/** A block by `type/name` or its id. Secrets are masked. */
export async function findBlock({ client }: CliSession, name: string): Promise<BlockDocument> {
  const at = name.indexOf("/");
  const { blockDocuments } = client;
  const answer =
    at > 0 && at < name.length - 1
      ? blockDocuments.readByName(name.slice(0, at), name.slice(at + 1))
      : isUuid(name)
        ? blockDocuments.read(name)
        : Promise.resolve(null);
  const block = await orNull(answer);
  if (block !== null) return block;
  const names = (await collect(blockDocuments.each({ include_data: false }))).map(blockName);
  const hint = suggestion(name, names) || " `orchestrator block ls` lists them.";
  const form = at > 0 || isUuid(name) ? "" : " A block is named as type/name.";
  throw new UsageError(`There is no block ${name}.${form}${hint}`);
}

export async function findBlockType({ client }: CliSession, slug: string): Promise<BlockType> {
  const { blockTypes } = client;
  const type = await orNull(isUuid(slug) ? blockTypes.read(slug) : blockTypes.readBySlug(slug));
  if (type !== null) return type;
  const slugs = (await collect(blockTypes.each())).map((one) => one.slug);
  const hint = suggestion(slug, slugs) || " `orchestrator block type ls` lists them.";
  throw new UsageError(`There is no block type ${slug}.${hint}`);
}

/** What the blocks of a type hold. */
export interface BlockFieldSummary {
  readonly name: string;
  readonly kind: string;
  readonly isRequired: boolean;
  readonly isSecret: boolean;
  readonly about: string;
}

/** The fields of the newest schema of a type; none where the type has no schema yet. */
export async function fieldsOfBlockType(
  { client }: CliSession,
  type: BlockType,
): Promise<BlockFieldSummary[]> {
  const [schema] = await client.blockSchemas.list({
    block_schemas: { block_type_id: { any_: [type.id] } },
    limit: 1,
  });
  return schema === undefined ? [] : readFields(schema);
}

interface JsonSchema {
  readonly properties?: Readonly<Record<string, Property>>;
  readonly required?: readonly string[];
  readonly secret_fields?: readonly string[];
}

interface Property {
  readonly type?: string;
  readonly title?: string;
  readonly description?: string;
  readonly anyOf?: readonly Property[];
}

function readFields({ fields }: BlockSchema): BlockFieldSummary[] {
  const { properties = {}, required = [], secret_fields = [] } = fields as unknown as JsonSchema;
  return Object.entries(properties).map(([name, property]) => ({
    name,
    kind: kindOf(property),
    isRequired: required.includes(name),
    isSecret: secret_fields.some((place) => place === name || place.startsWith(`${name}.`)),
    about: property.description ?? property.title ?? "",
  }));
}

const kindOf = ({ type, anyOf = [] }: Property): string =>
  type ?? (anyOf.map((one) => one.type ?? "object").join(" or ") || "object");
