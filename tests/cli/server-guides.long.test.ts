// The commands of the pages about running the server.
import { createClient } from "@orchestrator/client";
import { expect, test } from "vitest";
import { startReadyServer } from "../support/server-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { expectGuideToWork, openGuideShell } from "./guide-shell.ts";

const PAGES = [
  "how-to/delete-old-runs.md",
  "how-to/fix-a-server-that-does-not-start.md",
  "how-to/remove-a-stalled-event-reader.md",
  // It stops the server, so the pages after it are about one that does not run.
  "how-to/upgrade.md",
  "how-to/rotate-sealing-keys.md",
  "how-to/back-up-and-restore.md",
];

const ENDINGS = [
  // It only prints how to go back.
  [/server database downgrade/, [1]],
  // It refuses until a minute after the rotation.
  [/server retire-keys/, [0, 1]],
] as const;

test("every command of the pages about the server does what it says", async () => {
  await using folder = await temporaryFolder();
  const home = `${folder.path}/data`;
  await using server = await startReadyServer({ home });
  const client = createClient({ url: `${server.url}/api` });
  const { id: flow_id } = await client.flows.create({ name: "etl" });
  await client.flowRuns.create({ flow_id, name: "brave-otter" });
  const printed: string[] = [];
  for (const page of PAGES) {
    const env = { ORCHESTRATOR_HOME: home, ORCHESTRATOR_API_URL: `${server.url}/api` };
    const shell = openGuideShell(folder.path, page, env);
    const guide = { shell, placeholders: {}, replaced: {} };
    printed.push(await expectGuideToWork(page, guide, ENDINGS));
  }
  expect(printed.at(-1)).toContain(`cp BACKUP '${home}/orchestrator.db'`);
});

test("a password is used as its page says", async () => {
  await using folder = await temporaryFolder();
  const env = { ORCHESTRATOR_SERVER_AUTH_STRING: "admin:secret" };
  await using server = await startReadyServer({ home: `${folder.path}/data`, env });
  const page = "how-to/protect-the-server-with-a-password.md";
  const shell = openGuideShell(folder.path, page, {});
  await shell.type(`orchestrator config set ORCHESTRATOR_API_URL=${server.url}/api`);
  const replaced = { "http://127.0.0.1:4200": server.url };
  await expectGuideToWork(page, { shell, placeholders: {}, replaced });
});
