import type { ServiceHost } from "@orchestrator/kernel/scope";
import { type Keyring, KeyringError, type Resealing, reseal } from "@orchestrator/kernel/secrets";
import type { BlockDocumentRow } from "../../db/tables/block-documents.table.ts";
import { findSealedOtherwise, replaceSeal } from "./block-documents.store.ts";
import { placeOf, sealedBy } from "./sealed-data.ts";

/** A document may be of megabytes. */
const BATCH = 10;
const BEFORE_ALL = "00000000-0000-0000-0000-000000000000";

/**
 * Seals what other keys have sealed under the active one, a few documents at a time, while they are
 * used. What is done is done: after a stop it goes on with the rest.
 */
export async function resealDocuments(
  { db, keyring }: Pick<ServiceHost, "db" | "keyring">,
  signal?: AbortSignal,
): Promise<Resealing> {
  const problems: KeyringError[] = [];
  let resealed = 0;
  let after = BEFORE_ALL;
  while (!signal?.aborted) {
    const key = keyring.activeKeyId();
    const rows = await findSealedOtherwise(db.system, { key, after, limit: BATCH });
    const last = rows.at(-1);
    if (last === undefined) break;
    after = last.id;
    const replacements = rows.flatMap((row) => {
      const replacement = resealRow(keyring, row);
      if (!(replacement instanceof KeyringError)) return [replacement];
      problems.push(replacement);
      return [];
    });
    resealed += await db.writeSystem(async (tx) => {
      let replaced = 0;
      for (const replacement of replacements) if (await replaceSeal(tx, replacement)) replaced += 1;
      return replaced;
    });
  }
  return { resealed, problems };
}

function resealRow(keyring: Keyring, { id, data }: Pick<BlockDocumentRow, "id" | "data">) {
  try {
    const sealed = reseal(keyring, data, placeOf(id)) ?? data;
    return { id, before: data, ...sealedBy(sealed) };
  } catch (error) {
    if (error instanceof KeyringError) return error;
    throw error;
  }
}
