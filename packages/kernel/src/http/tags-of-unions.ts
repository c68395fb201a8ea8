import { _, type Ajv, stringify } from "ajv";
import { isSchema, type JsonSchema } from "./json-schema.ts";

/** What the validator is told of a union whose records are told apart by a tag. */
export interface TaggedBy {
  readonly propertyName: string;
  readonly tags: readonly string[];
}

/** The tags of such a union, in its order. */
export function taggedBy({ discriminator, oneOf }: JsonSchema): TaggedBy {
  const { propertyName } = discriminator as Pick<TaggedBy, "propertyName">;
  const branches = Array.isArray(oneOf) ? (oneOf as readonly unknown[]) : [];
  return { propertyName, tags: branches.flatMap((branch) => tagsOfBranch(branch, propertyName)) };
}

/** The words by which one record of such a union is known. */
export function tagsOfBranch(branch: unknown, name: string): readonly string[] {
  const properties = isSchema(branch) ? branch["properties"] : undefined;
  const tag = isSchema(properties) ? properties[name] : undefined;
  if (!isSchema(tag)) return [];
  const words: readonly unknown[] = Array.isArray(tag["enum"]) ? tag["enum"] : [tag["const"]];
  return words.filter((word) => typeof word === "string");
}

/** Has the validator's own keyword for such unions say in its errors which tags there are. */
export function reportUnionTags(ajv: Ajv): void {
  const own = ajv.getKeyword("discriminator");
  if (typeof own === "boolean") throw new Error("The validator does not know tagged unions");
  ajv.removeKeyword("discriminator");
  ajv.addKeyword({
    ...own,
    error: {
      message: "matches no tag",
      params: ({ params, schema }) =>
        _`{error: ${params["discrError"]}, tag: ${params["tagName"]}, tagValue: ${params["tag"]}, tags: ${stringify((schema as TaggedBy).tags)}}`,
    },
  });
}
