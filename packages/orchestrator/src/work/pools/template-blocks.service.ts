import type { JsonObject } from "@orchestrator/contract";
import { normaliseUuid } from "@orchestrator/kernel/http";
import { AppError } from "@orchestrator/kernel/pure";
import type { Queries } from "@orchestrator/kernel/storage";
import { readComposedDocuments } from "../../blocks/documents/composed-documents.service.ts";
import type { OrchestratorContext } from "../../context.ts";
import { namedBlocks, withBlocks } from "./template-blocks.rules.ts";

const MOST_BLOCKS = 100;

/**
 * A base job template with the values of blocks in its defaults, as variables are checked against
 * it. Secrets are masked: what is wrong with a value is told to whoever asks.
 */
export async function expandTemplate(
  ctx: Pick<OrchestratorContext, "keyring">,
  queries: Queries,
  template: JsonObject,
): Promise<JsonObject> {
  const names = namedBlocks(template);
  if (names.size === 0) return template;
  if (names.size > MOST_BLOCKS)
    throw new AppError("invalid", `A job template can refer to at most ${MOST_BLOCKS} blocks`);
  const ids = new Map([...names].map((name) => [name, normaliseUuid(name) ?? null]));
  const known = [...ids.values()].filter((id) => id !== null);
  const documents = await readComposedDocuments(ctx, queries, new Set(known));
  const values = new Map<string, JsonObject>();
  for (const [name, id] of ids) {
    const document = id === null ? undefined : documents.get(id);
    if (document === undefined)
      throw new AppError(
        "not_found",
        `Block document ${JSON.stringify(name.slice(0, 100))}, which a default of the job template stands for, not found`,
      );
    values.set(name, document);
  }
  return withBlocks(template, values);
}
