// The clients know every operation that the servers' own documents describe, and no other.
import {
  accountsOperations,
  orchestratorOperations,
  uptimeOperations,
} from "@orchestrator/client/testing";
import { expect, test } from "vitest";
import { ACCOUNTS_MODE_ENV, startReadyServer } from "../support/server-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

interface DocumentedOperation {
  readonly parameters?: readonly { readonly in: string }[];
  readonly requestBody?: unknown;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
}

/** Where the document says that what is asked for goes. */
function takes({ parameters = [], requestBody }: DocumentedOperation): string {
  const hasQuery = parameters.some((parameter) => parameter.in === "query");
  if (requestBody !== undefined) return hasQuery ? "both" : "body";
  return hasQuery ? "query" : "nothing";
}

/** Any body is taken there, which a document cannot describe. */
const isStrangersDoor = (name: string) => name.includes("/webhooks/whk_");

async function documented(url: string): Promise<string[]> {
  const { paths } = (await (await fetch(url)).json()) as Document;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const name = `${method.toUpperCase()} ${path}`;
      return isStrangersDoor(name) ? name : `${name} takes ${takes(operation)}`;
    }),
  );
}

const declared = (operations: ReturnType<typeof orchestratorOperations>): string[] =>
  operations.map(({ name, takes: what }) =>
    isStrangersDoor(name) ? name : `${name} takes ${what}`,
  );

const without = (some: readonly string[], others: readonly string[]): string[] =>
  some.filter((name) => !others.includes(name));

test("the clients have every documented operation and no other", async () => {
  await using folder = await temporaryFolder();
  const env = ACCOUNTS_MODE_ENV;
  await using server = await startReadyServer({ home: `${folder.path}/data`, env });
  const apis = [
    ["/api", orchestratorOperations],
    ["/api/accounts", accountsOperations],
    ["/uptime/api", uptimeOperations],
  ] as const;
  for (const [path, operations] of apis) {
    const ofServer = await documented(`${server.url}${path}/openapi.json`);
    const ofClient = declared(operations());
    expect(ofServer.length).toBeGreaterThan(20);
    expect({
      missing: without(ofServer, ofClient),
      unknown: without(ofClient, ofServer),
    }).toEqual({ missing: [], unknown: [] });
  }
});
