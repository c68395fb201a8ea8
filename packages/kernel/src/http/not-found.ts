import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { errorBody } from "./error-body.ts";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const;

/** Answers what no route does: 405 with the methods that exist there, else 404. OPTIONS learns the methods. */
export function answerUnrouted(
  app: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const allowed = allowedMethods(app, request.raw.url ?? "/");
  if (allowed.length === 0) {
    sendNotFound(reply);
    return;
  }
  reply.header("allow", [...allowed, "OPTIONS"].join(", "));
  if (request.method === "OPTIONS") reply.code(204).send();
  else reply.code(405).send(errorBody("Method Not Allowed"));
}

export function sendNotFound(reply: FastifyReply, text = "Not Found"): void {
  reply.code(404).send(errorBody(text));
}

/** A wildcard route catches leftovers (the web bundle); that something would answer there is no promise. */
function allowedMethods(app: FastifyInstance, url: string): readonly string[] {
  return METHODS.filter((method) => {
    const route = app.findRoute({ method, url });
    return route !== null && route !== undefined && !("*" in (route.params ?? {}));
  });
}
