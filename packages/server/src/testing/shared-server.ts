// One server per file and engine: starting one costs more than most tests. Each test makes an
// account of its own on it.
import { afterAll, beforeAll, expect } from "vitest";
import {
  type AccountsServer,
  accountsServer,
  type DatabaseEngine,
  describeEachEngine,
  type ServerAccount,
} from "./guarded-server.ts";

export interface SharedServer {
  /** A new account with a first workspace and a key of its owner, who is the operator. */
  readonly account: () => Promise<ServerAccount>;
  /** The account that the server began with, for tests that are about it. */
  readonly firstAccount: () => ServerAccount;
}

/** The same behaviour on every engine, each with a server that all tests of the body share. */
export function describeEachServer(
  title: string,
  body: (server: SharedServer, engine: DatabaseEngine) => void,
  start: (engine: DatabaseEngine) => Promise<AccountsServer> = accountsServer,
): void {
  describeEachEngine(title, (engine) => {
    let server: AccountsServer | undefined;
    beforeAll(async () => {
      server = await start(engine);
    });
    afterAll(async () => {
      await server?.[Symbol.asyncDispose]();
      server = undefined;
    });
    const firstAccount = (): ServerAccount => {
      if (server === undefined) throw new Error("The server is started before the first test");
      return server;
    };
    body({ firstAccount, account: () => newAccount(firstAccount()) }, engine);
  });
}

let count = 0;

/** Another account of the operator, which has nothing to do with the others of the server. */
export async function newAccount(server: ServerAccount, name = "account"): Promise<ServerAccount> {
  count += 1;
  const handle = `${name}-${count}`;
  const body = { name: handle, handle };
  const made = await server.call("POST", "/api/accounts/", { key: server.operatorKey, body });
  expect(made).toMatchObject({ status: 201 });
  const { account, workspace, api_key } = made.body as {
    readonly account: { readonly id: string };
    readonly workspace: { readonly id: string };
    readonly api_key: { readonly key: string };
  };
  const { url, databaseUrl, isLocal, notices, call, socket, replica, operatorKey } = server;
  return {
    url,
    databaseUrl,
    isLocal,
    notices,
    call,
    socket,
    replica,
    operatorKey,
    ownerKey: api_key.key,
    accountId: account.id,
    workspaceId: workspace.id,
    handle,
  };
}
