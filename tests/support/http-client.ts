// A plain keep-alive client: no retries of its own, so that every outcome is seen as it was.
import { Agent, request as httpRequest, type IncomingHttpHeaders } from "node:http";

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly json: <T = unknown>() => T;
}

export interface HttpClient extends Disposable {
  /** Rejects when the connection breaks before the whole answer has arrived. */
  readonly send: (method: string, path: string, body?: unknown) => Promise<HttpAnswer>;
  readonly get: (path: string) => Promise<HttpAnswer>;
}

const ANSWER_DEADLINE_MS = 60_000;

export function httpClient(baseUrl: string): HttpClient {
  const agent = new Agent({ keepAlive: true });

  const send = (method: string, path: string, body?: unknown): Promise<HttpAnswer> =>
    new Promise((resolve, reject) => {
      const text = body === undefined ? undefined : JSON.stringify(body);
      const headers = text === undefined ? {} : { "content-type": "application/json" };
      const request = httpRequest(`${baseUrl}${path}`, { method, agent, headers }, (response) => {
        let received = "";
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => {
          received += chunk;
        });
        response.on("error", reject);
        response.on("end", () => {
          if (!response.complete) reject(new Error("The answer was cut short"));
          const { statusCode = 0, headers: answered } = response;
          const json = <T>() => JSON.parse(received) as T;
          resolve({ status: statusCode, headers: answered, text: received, json });
        });
      });
      request.setTimeout(ANSWER_DEADLINE_MS, () =>
        request.destroy(
          new Error(`${method} ${path} was not answered in ${ANSWER_DEADLINE_MS} ms`),
        ),
      );
      request.on("error", reject);
      request.end(text);
    });

  return {
    send,
    get: (path) => send("GET", path),
    [Symbol.dispose]: () => agent.destroy(),
  };
}
