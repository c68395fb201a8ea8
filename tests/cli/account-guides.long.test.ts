// The commands of the pages about accounts, workspaces, users and keys.
import { writeFileSync } from "node:fs";
import { type AccountsClient, createAccountsClient } from "@orchestrator/client";
import { afterAll, beforeAll, test } from "vitest";
import {
  ACCOUNTS_MODE_ENV,
  type ServerProcess,
  startReadyServer,
} from "../support/server-process.ts";
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.ts";
import type { Lookup } from "./guide.ts";
import { expectGuideToWork, openGuideShell } from "./guide-shell.ts";

let folder: TemporaryFolder;
let server: ServerProcess;
let key: string;
let accountId: string;
let accounts: AccountsClient;

/** In an order in which a page finds what pages before it have made. */
const PAGES = [
  "how-to/turn-on-accounts.md",
  "how-to/manage-users.md",
  "how-to/limit-requests-of-a-key.md",
  "how-to/manage-api-keys.md",
  "how-to/set-quotas.md",
  "how-to/read-the-audit-log.md",
  "reference/accounts-api.md",
  "reference/audit-log.md",
  "how-to/delete-a-workspace.md",
];

beforeAll(async () => {
  folder = await temporaryFolder();
  server = await startReadyServer({ home: `${folder.path}/data`, env: ACCOUNTS_MODE_ENV });
  key = /orc_[\w-]{43}/.exec(server.stdout())?.[0] ?? "";
  accounts = createAccountsClient({ url: `${server.url}/api`, apiKey: key });
  accountId = (await accounts.me.read()).account_id;
  const invited = { email: "ben@example.com", role: "developer" } as const;
  const { token } = await accounts.invitations.create(accountId, invited);
  await accounts.signIn.acceptInvitation({ token, name: "Ben", password: "another password" });
});

afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  await folder?.[Symbol.asyncDispose]();
});

for (const page of PAGES)
  test(`every command of ${page} does what it says`, async () => {
    const shell = openGuideShell(folder.path, page, { ORCHESTRATOR_HOME: `${folder.path}/home` });
    writeFileSync(`${shell.folder}/password.txt`, "the first password\n");
    const replaced = { "http://127.0.0.1:4200": server.url };
    await expectGuideToWork(page, { shell, placeholders: PLACEHOLDERS, replaced });
  });

const PLACEHOLDERS: Readonly<Record<string, Lookup>> = {
  key: () => key,
  "account id": () => accountId,
  "api key id": async () =>
    (await accounts.apiKeys.list(accountId)).find(({ name }) => name === "reports")?.id ?? "",
  "service account id": async () => (await accounts.serviceAccounts.list(accountId))[0]?.id ?? "",
  "resource id": () => accountId,
};
