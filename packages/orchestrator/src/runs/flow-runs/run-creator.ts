import { InvalidRequestError, normaliseUuid } from "@orchestrator/kernel/http";
import type { ApiDialect } from "../../dialect.ts";
import type { NewFlowRun } from "./new-flow-run.ts";

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/**
 * The automation that a caller says it makes runs for; null where it names none, or none that can
 * be read.
 */
export function runCreator(
  { automationHeaders }: ApiDialect,
  headers: Headers,
): NonNullable<NewFlowRun["created_by"]> | null {
  if (automationHeaders === null) return null;
  const [givenId, givenName] = [headers[automationHeaders.id], headers[automationHeaders.name]];
  if (givenId === undefined) return null;
  const id = normaliseUuid(givenId);
  if (id === undefined) throw notAnId(automationHeaders.id, givenId);
  const name = decoded(String(givenName ?? ""));
  return name === null ? null : { id, type: "AUTOMATION", display_value: name };
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Base64 of UTF-8, because headers hold no other letters than those of ASCII. */
function decoded(text: string): string | null {
  if (!BASE64.test(text)) return null;
  try {
    const name = new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(text, "base64"));
    return name === "" || name.includes("\0") ? null : name;
  } catch {
    return null; // no text
  }
}

function notAnId(header: string, input: unknown): InvalidRequestError {
  const msg = "Input should be a valid UUID";
  return new InvalidRequestError([{ type: "uuid_parsing", loc: ["header", header], msg, input }]);
}
