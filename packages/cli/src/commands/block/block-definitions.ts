// Types of blocks as people write them: in a file of YAML or JSON, or as what a module exports.

import type { JsonObject } from "@orchestrator/contract";
import { readObjects } from "../../io/read-document.ts";
import { UsageError } from "../../output/fail.ts";

/** A type of blocks, and the schema of what its blocks hold. */
export interface BlockDefinition {
  readonly name: string;
  readonly slug: string;
  readonly texts: Readonly<Partial<Record<(typeof TEXTS)[number], string | null>>>;
  readonly fields: JsonObject;
  readonly capabilities: readonly string[];
  readonly version: string | null;
}

export const TEXTS = ["description", "documentation_url", "logo_url", "code_example"] as const;
const KEYS: readonly string[] = [
  ...TEXTS,
  "name",
  "slug",
  "schema",
  "secrets",
  "capabilities",
  "version",
];
const MODULE = /\.(?:[cm]?js|m?ts|tsx)$/;
const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

type Written = Readonly<Record<string, unknown>>;

/** All that a file describes; at least one. */
export async function readDefinitions(path: string): Promise<BlockDefinition[]> {
  const written = MODULE.test(path) ? await exportedBy(path) : await readObjects(path);
  const { toJsonSchema } = await import("@orchestrator/sdk");
  const definitions = written.map((one, at) => {
    const where = written.length === 1 ? path : `${path}, type ${at + 1}`;
    return definitionOf(one, where, toJsonSchema as (schema: unknown) => JsonObject);
  });
  const slugs = definitions.map(({ slug }) => slug);
  const twice = slugs.find((slug, at) => slugs.indexOf(slug) !== at);
  if (twice !== undefined) throw new UsageError(`${path} describes the type ${twice} twice`);
  return definitions;
}

/** Every export, or item of one that is a list, that has a name and a schema. */
async function exportedBy(path: string): Promise<Written[]> {
  const { loadModule } = await import("@orchestrator/sdk");
  const exported = Object.values(await loadModule(path)).flat() as readonly unknown[];
  const types = exported.filter(
    (value): value is Written => isObject(value) && "name" in value && "schema" in value,
  );
  if (types.length > 0) return types;
  throw new UsageError(
    `${path} exports no type of blocks, such as \`export const db = { name: "Db", schema: … }\``,
  );
}

function definitionOf(
  written: Written,
  where: string,
  toJsonSchema: (schema: unknown) => JsonObject,
): BlockDefinition {
  const unknown = Object.keys(written).find((key) => !KEYS.includes(key));
  if (unknown !== undefined) {
    throw new UsageError(`${where}: ${unknown} is not known; there are ${KEYS.join(", ")}`);
  }
  const { name, schema = {}, version = null } = written;
  if (typeof name !== "string" || name === "") throw new UsageError(`${where} needs a name`);
  if (!isObject(schema)) throw new UsageError(`${where}: schema must be a JSON schema`);
  const slug = written["slug"] ?? slugOf(name);
  if (typeof slug !== "string" || !SLUG.test(slug)) {
    throw new UsageError(`${where}: slug must be lower case letters, digits and hyphens`);
  }
  if (version !== null && typeof version !== "string") {
    throw new UsageError(`${where}: version must be a text`);
  }
  const described = toJsonSchema(schema);
  return {
    name,
    slug,
    texts: textsOf(written, where),
    fields: {
      title: name,
      type: "object",
      properties: {},
      block_schema_references: {},
      ...described,
      block_type_slug: slug,
      secret_fields: secretsIn(described, namesOf(written, "secrets", where), where),
    },
    capabilities: namesOf(written, "capabilities", where),
    version,
  };
}

function textsOf(written: Written, where: string): BlockDefinition["texts"] {
  const given = TEXTS.flatMap((key) => (key in written ? [[key, written[key]] as const] : []));
  const wrong = given.find(([, value]) => value !== null && typeof value !== "string");
  if (wrong !== undefined) throw new UsageError(`${where}: ${wrong[0]} must be a text`);
  return Object.fromEntries(given) as BlockDefinition["texts"];
}

function namesOf(written: Written, key: string, where: string): string[] {
  const names = written[key] ?? [];
  if (Array.isArray(names) && names.every((name) => typeof name === "string")) return names;
  throw new UsageError(`${where}: ${key} must be a list of texts`);
}

/** Those that are named, and those that the schema itself calls so. */
function secretsIn(schema: JsonObject, named: readonly string[], where: string): string[] {
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  const lost = named.find((name) => !Object.hasOwn(properties, name.split(".")[0] ?? name));
  if (lost !== undefined) {
    throw new UsageError(`${where}: the secret ${lost} is none of the properties of the schema`);
  }
  const stated = Object.entries(properties).flatMap(([name, property]) => {
    const isSecret =
      isObject(property) && (property["writeOnly"] === true || property["format"] === "password");
    return isSecret ? [name] : [];
  });
  return [...new Set([...named, ...stated])];
}

const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");

const isObject = (value: unknown): value is Written =>
  typeof value === "object" && value !== null && !Array.isArray(value);
