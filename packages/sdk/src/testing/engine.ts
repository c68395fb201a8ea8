// An engine of containers as far as its protocol goes: it answers the calls of a worker and writes
// them down.

import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface RecordedCall {
  readonly call: string;
  readonly body: unknown;
  readonly authorization: string | undefined;
}

/** Answers with a status and a body, or does so itself and returns nothing. */
export type EngineResponder = (
  asked: RecordedCall,
  response: ServerResponse,
) => [number, unknown] | undefined;

export interface TestEngine extends AsyncDisposable {
  readonly url: string;
  readonly asked: RecordedCall[];
}

/** The first answer whose pattern fits `METHOD /path` is given. */
export async function testEngine(
  answers: readonly (readonly [RegExp, EngineResponder])[],
): Promise<TestEngine> {
  const asked: RecordedCall[] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString("utf8");
    const call = `${request.method} ${request.url}`;
    const { authorization } = request.headers;
    const one = { call, body: text === "" ? null : (JSON.parse(text) as unknown), authorization };
    asked.push(one);
    const answer = answers.find(([pattern]) => pattern.test(call))?.[1];
    const given =
      answer === undefined ? ([404, { message: `no ${call}` }] as const) : answer(one, response);
    if (given === undefined) return;
    response.writeHead(given[0], { "content-type": "application/json" });
    response.end(given[1] === null ? "" : JSON.stringify(given[1]));
  };
  const server = createServer((request, response) => void handle(request, response));
  server.listen({ host: "127.0.0.1", port: 0 });
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
