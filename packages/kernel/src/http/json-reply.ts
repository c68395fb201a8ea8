import type { FastifyReply } from "fastify";
import type { JsonBytes } from "../storage/json-text.ts";

export const JSON_TYPE = "application/json; charset=utf-8";

/** Sends text that is JSON already, for example built by the database, as it stands. */
export function sendJsonText(reply: FastifyReply, text: JsonBytes<unknown>): FastifyReply {
  const payload =
    typeof text === "string" ? text : Buffer.from(text.buffer, text.byteOffset, text.byteLength);
  return reply.header("content-type", JSON_TYPE).send(payload);
}
