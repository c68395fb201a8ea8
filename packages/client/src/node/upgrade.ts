import { createHash, randomBytes } from "node:crypto";
import { type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import type { Duplex } from "node:stream";
import { readRefusal } from "../transport/answers.ts";

/** From RFC 6455: whoever can combine it with the key speaks the protocol. */
const MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const MAX_REFUSAL_BYTES = 64 * 1024;

export interface UpgradeHandlers {
  readonly opened: (socket: Duplex, head: Buffer) => void;
  readonly failed: (error: unknown) => void;
}

export interface UpgradeOptions {
  readonly protocols: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
}

/** Asks for a websocket; a refusal is the same error as that of any other request. */
export function requestUpgrade(
  url: string,
  { protocols, headers }: UpgradeOptions,
  { opened, failed }: UpgradeHandlers,
): ClientRequest {
  const key = randomBytes(16).toString("base64");
  const address = url.replace(/^ws/, "http");
  const send = address.startsWith("https:") ? httpsRequest : httpRequest;
  const request = send(address, {
    agent: false,
    headers: {
      ...headers,
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": key,
      "sec-websocket-protocol": protocols.join(", "),
    },
  });
  request.once("error", failed);
  request.once("response", (response) => {
    refusalOf(response, address).then(failed, failed);
  });
  request.once("upgrade", (response, socket, head) => {
    const accept = createHash("sha1")
      .update(key + MAGIC)
      .digest("base64");
    if (response.headers["sec-websocket-accept"] === accept) {
      opened(socket, head);
      return;
    }
    socket.destroy();
    failed(new Error("The server does not speak the websocket protocol"));
  });
  request.end();
  return request;
}

async function refusalOf(message: IncomingMessage, url: string): Promise<Error> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of message as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > MAX_REFUSAL_BYTES) break;
    pieces.push(piece);
  }
  const headers = Object.entries(message.headers).flatMap(([name, value]): [string, string][] =>
    typeof value === "string" ? [[name, value]] : [],
  );
  const status = message.statusCode ?? 0;
  // Anything but a refusal is no answer to this question.
  if (status < 400) return new Error(`The server answered with ${status} instead of a websocket`);
  const response = new Response(Buffer.concat(pieces), { status, headers });
  return readRefusal(response, { method: "GET", url });
}
