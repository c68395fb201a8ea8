// A server that says byte for byte what a test wants, however rude.

import { type AddressInfo, createServer, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";

export interface RawServer extends AsyncDisposable {
  readonly port: number;
  /** By address; `http`, or `https` when it has a certificate. */
  readonly url: string;
  /** What each request began with, up to the empty line. */
  readonly heads: string[];
  /** How many connections were made. */
  readonly connections: () => number;
}

export type Speak = (socket: Socket, head: string, count: number) => void;

export interface RawServerOptions {
  readonly certificate?: { readonly cert: string; readonly key: string };
  /** Whether it speaks as soon as somebody connects. */
  readonly isFirst?: boolean;
}

export async function startRawServer(
  speak: Speak,
  { certificate, isFirst = false }: RawServerOptions = {},
): Promise<RawServer> {
  const sockets = new Set<Socket>();
  const heads: string[] = [];
  let connections = 0;
  const accept = (socket: Socket): void => {
    connections++;
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    if (isFirst) speak(socket, "", connections);
    let heard = "";
    let isHeard = false;
    socket.on("data", (chunk: Buffer) => {
      heard += chunk.toString("latin1");
      if (isHeard || !heard.includes("\r\n\r\n")) return;
      isHeard = true;
      heads.push(heard.slice(0, heard.indexOf("\r\n\r\n")));
      if (!isFirst) speak(socket, heads.at(-1) ?? "", heads.length);
    });
  };
  const server =
    certificate === undefined
      ? createServer(accept)
      : // Newer versions of Node serve no weak keys unless they are told to.
        createTlsServer({ ...certificate, ciphers: "DEFAULT:@SECLEVEL=0" }, accept);
  server.on("tlsClientError", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `${certificate === undefined ? "http" : "https"}://127.0.0.1:${port}`,
    heads,
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A whole answer. */
export function httpAnswer(
  status: number | string,
  headers: Readonly<Record<string, string>> = {},
  body: string | Buffer = "",
): Buffer {
  const all = { "Content-Length": String(Buffer.byteLength(body)), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 ${status} X\r\n${lines.join("")}Connection: close\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), Buffer.from(body)]);
}
