import type { FastifyReply } from "fastify";

export const JSON_TYPE = "application/json; charset=utf-8";

/** Sends text that is JSON already, for example built by the database, as it stands. */
export function sendJsonText(reply: FastifyReply, text: string): FastifyReply {
  return reply.header("content-type", JSON_TYPE).send(text);
}
