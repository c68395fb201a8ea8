import type { IncomingMessage } from "node:http";
import { readErrorResponse } from "../transport/responses.ts";

const MAX_BODY_BYTES = 64 * 1024;

/** The error of a request for a websocket that the server answered instead of upgrading. */
export async function refusedUpgrade(message: IncomingMessage, url: string): Promise<Error> {
  const status = message.statusCode ?? 0;
  if (status < 400) {
    message.destroy();
    return new Error(`The server answered with ${status} instead of a websocket`);
  }
  const body = await readStart(message);
  const headers = Object.entries(message.headers).flatMap(([name, value]): [string, string][] =>
    typeof value === "string" ? [[name, value]] : [],
  );
  return readErrorResponse(new Response(body, { status, headers }), { method: "GET", url });
}

async function readStart(message: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of message as AsyncIterable<Uint8Array>) {
    size += piece.length;
    if (size > MAX_BODY_BYTES) break;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
