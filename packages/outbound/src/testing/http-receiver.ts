// A web server on a socket that keeps what it is sent and answers what the test wants.

import { createServer, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { TEST_CERTIFICATE } from "./test-certificate.ts";

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export type Respond = (
  request: ReceivedRequest,
  response: ServerResponse,
  count: number,
) => void | Promise<void>;

export interface HttpReceiver extends AsyncDisposable {
  readonly port: number;
  readonly url: string;
  readonly requests: ReceivedRequest[];
}

export async function startReceiver(
  respond: Respond = (_, response) => void response.end("ok"),
  { tls = false }: { readonly tls?: boolean } = {},
): Promise<HttpReceiver> {
  const requests: ReceivedRequest[] = [];
  const listener: Parameters<typeof createServer>[1] = (message, response) => {
    const chunks: Buffer[] = [];
    message.on("data", (chunk: Buffer) => chunks.push(chunk));
    message.on("error", () => {});
    message.on("end", () => {
      const { method = "", url = "", headers } = message;
      const body = Buffer.concat(chunks).toString("utf8");
      const request = { method, path: url, headers, body };
      requests.push(request);
      void respond(request, response, requests.length);
    });
  };
  const server = tls ? createTlsServer(TEST_CERTIFICATE, listener) : createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `${tls ? "https" : "http"}://127.0.0.1:${port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
