import type { JsonObject } from "@orchestrator/contract";
import {
  BlockFault,
  blockText,
  flagIn,
  type HttpOutgoing,
  optionalTextIn,
  textMapIn,
} from "./format.rules.ts";

export const WEBHOOK_SLUG = "webhook";

/**
 * A call of a Webhook block: the payload goes as it is, and only the headers of the block say what
 * it is.
 */
export function webhookCall(block: JsonObject, payload: string): HttpOutgoing {
  const method = (optionalTextIn(block, "method") ?? "POST").toUpperCase();
  if (!/^(?:POST|GET|PUT|PATCH|DELETE)$/.test(method))
    throw new BlockFault("The method of the block is not allowed");
  return {
    transport: "http",
    method,
    url: blockText(block, "url"),
    headers: textMapIn(block, "headers"),
    body: payload === "" ? null : payload,
    verify: flagIn(block, "verify", true),
  };
}
