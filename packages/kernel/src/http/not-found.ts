import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { errorBody } from "./error-body.ts";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const;

/**
 * Answers what no route does: 405 with the methods that exist there, else 404. OPTIONS learns the
 * methods.
 */
export function answerUnrouted(
  app: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  // A wildcard route catches leftovers (the web bundle); that something would answer there is no
  // promise.
  const allowed = methodsAt(app, request, (params) => !("*" in params));
  if (allowed.length === 0 || allowed.includes(request.method)) sendNotFound(reply);
  else if (request.method === "OPTIONS") allow(reply, allowed).code(204).send();
  else sendNotAllowed(reply, allowed);
}

/**
 * Answers what does not fit the parameters of its route, and so names nothing: `GET
 * /things/filter`, which is no thing. Where another method has a route that says more of the path,
 * that was meant.
 */
export function answerUnfit(request: FastifyRequest, reply: FastifyReply, text?: string): void {
  const given = Object.keys(request.params ?? {}).length;
  const isMeant = (params: object): boolean => Object.keys(params).length < given;
  const allowed = methodsAt(request.server, request, isMeant);
  if (allowed.length === 0) sendNotFound(reply, text);
  else sendNotAllowed(reply, allowed);
}

function sendNotFound(reply: FastifyReply, text = "Not Found"): void {
  reply.code(404).send(errorBody(text));
}

function sendNotAllowed(reply: FastifyReply, allowed: readonly string[]): void {
  allow(reply, allowed).code(405).send(errorBody("Method Not Allowed"));
}

function allow(reply: FastifyReply, methods: readonly string[]): FastifyReply {
  return reply.header("allow", [...methods, "OPTIONS"].join(", "));
}

/** The methods that have a route there, by its parameters. */
function methodsAt(
  app: Pick<FastifyInstance, "findRoute">,
  { raw: { url = "/" } }: FastifyRequest,
  isMeant: (params: object) => boolean,
): readonly string[] {
  return METHODS.filter((method) => {
    const route = app.findRoute({ method, url });
    return route !== null && route !== undefined && isMeant(route.params ?? {});
  });
}
