import type { FastifyRequest } from "fastify";
import { AppError } from "../errors/app-error.ts";
import { FOREIGN_PAGE, mayAct, type PageRules } from "../http/cors.ts";
import { CLOSE } from "./close-codes.ts";
import { parseMessage } from "./json-message.ts";
import type { PeerSocket, ServerSocket } from "./peer-socket.ts";

/** Says whether the holder of the token may come in. */
export type Admit = (token: string | null) => boolean | Promise<boolean>;

/** Some clients have a key and send it with requests alone. */
const NO_TOKEN = "The auth message has no token, and this server asks for one";
const SUCCESS = JSON.stringify({ type: "auth_success" });

/** The first message of a peer must say who it is; tells whether it may stay. */
export async function admitPeer(socket: PeerSocket, admit: Admit): Promise<boolean> {
  socket.takeLongMessages(false);
  const first = await socket.receiveFirst(CLOSE.refused, "No auth message came in time");
  if (first === null) return false;
  const token = readToken(first);
  if (token === undefined) {
    return refuse(socket, `The first message must be {"type": "auth", "token": …}`);
  }
  if (!(await admit(token)))
    return refuse(socket, token === null ? NO_TOKEN : "The token is not accepted");
  socket.takeLongMessages(true);
  await socket.send(SUCCESS);
  return true;
}

function refuse(socket: ServerSocket, reason: string): false {
  socket.close(CLOSE.refused, reason);
  return false;
}

function readToken(bytes: Buffer): string | null | undefined {
  const message = parseMessage(bytes);
  if (typeof message !== "object" || message === null) return undefined;
  const { type, token = null } = message as { readonly type?: unknown; readonly token?: unknown };
  const isToken = token === null || typeof token === "string";
  return type === "auth" && isToken ? token : undefined;
}

/**
 * A page of another site could open a connection in its visitor's name, which no browser asks us
 * about first.
 */
export function assertOrigin(request: FastifyRequest, rules: PageRules): void {
  const { origin } = request.headers;
  if (origin === undefined || mayAct(origin, request, rules)) return;
  throw new AppError("forbidden", FOREIGN_PAGE);
}
