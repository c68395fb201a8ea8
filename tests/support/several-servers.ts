// Servers that share one PostgreSQL and nothing else.
import { createTestPostgres } from "@orchestrator/kernel/testing";
import { expect } from "vitest";
import { type HttpClient, httpClient } from "./http-client.ts";
import { startReadyServer } from "./server-process.ts";
import { temporaryFolder } from "./temporary-folder.ts";

export interface SeveralServers extends AsyncDisposable {
  readonly clients: readonly HttpClient[];
  /** Creates something on the first server and tells its id. */
  readonly made: (path: string, body: unknown) => Promise<string>;
}

export async function startSeveral(count: number): Promise<SeveralServers> {
  const folder = await temporaryFolder();
  const { url, drop } = await createTestPostgres();
  const started: AsyncDisposable[] = [];
  const clients: HttpClient[] = [];
  const dispose = async (): Promise<void> => {
    for (const client of clients) client[Symbol.dispose]();
    await Promise.all(started.map((server) => server[Symbol.asyncDispose]()));
    await drop();
    await folder[Symbol.asyncDispose]();
  };
  try {
    for (let n = 0; n < count; n += 1) {
      const server = await startReadyServer({ home: `${folder.path}/${n}`, databaseUrl: url });
      started.push(server);
      clients.push(httpClient(server.url));
    }
  } catch (error) {
    await dispose();
    throw error;
  }
  return {
    clients,
    async made(path, body) {
      const answer = await clients[0]?.send("POST", `/api${path}`, body);
      expect([200, 201], answer?.text).toContain(answer?.status);
      return answer?.json<{ readonly id: string }>().id ?? "";
    },
    [Symbol.asyncDispose]: dispose,
  };
}
