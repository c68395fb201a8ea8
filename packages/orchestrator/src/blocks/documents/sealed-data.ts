import type { JsonObject } from "@orchestrator/contract";
import { readJson, writeJson } from "@orchestrator/exact-json";
import { type Keyring, sealedKeyId } from "@orchestrator/kernel/secrets";
import type { BlockDocumentRow } from "../../db/tables/block-documents.table.ts";

/** The place a document's data is sealed for. It opens nowhere else. */
export const placeOf = (id: string): string => `block_documents/${id}/data`;

export function sealData(
  keyring: Keyring,
  id: string,
  data: JsonObject,
): Pick<BlockDocumentRow, "data" | "sealed_with"> {
  return sealedBy(keyring.seal(writeJson(data), placeOf(id)));
}

export function sealedBy(sealed: string): Pick<BlockDocumentRow, "data" | "sealed_with"> {
  return { data: sealed, sealed_with: sealedKeyId(sealed) };
}

export function openData(
  keyring: Keyring,
  { id, data }: Pick<BlockDocumentRow, "id" | "data">,
): JsonObject {
  return readJson(keyring.open(data, placeOf(id))) as JsonObject;
}
