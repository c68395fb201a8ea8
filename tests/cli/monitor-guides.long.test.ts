// The commands of the pages about monitors, maintenance windows and status pages.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createUptimeClient, type UptimeClient } from "@orchestrator/client/node";
import type { UptimeDocument } from "@orchestrator/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ServerProcess, startReadyServer } from "../support/server-process.ts";
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.ts";
import type { Lookup } from "./guide.ts";
import { expectGuideToWork, openGuideShell } from "./guide-shell.ts";

const PASSWORD = "a-password-for-tests";
const NOTHING: UptimeDocument = { version: 1, monitors: [], maintenance: [], status_pages: [] };

let folder: TemporaryFolder;
let server: ServerProcess;
let uptime: UptimeClient;
let target: Awaited<ReturnType<typeof startTarget>>;

beforeAll(async () => {
  folder = await temporaryFolder();
  target = await startTarget();
  server = await startReadyServer({
    home: `${folder.path}/data`,
    env: { UPTIME_PASSWORD: PASSWORD, ORCHESTRATOR_LOG_LEVEL: "error" },
  });
  uptime = createUptimeClient({ env: commandEnv() });
});

afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  await target?.[Symbol.asyncDispose]();
  await folder?.[Symbol.asyncDispose]();
});

const commandEnv = () => ({
  ORCHESTRATOR_API_URL: `${server.url}/api`,
  UPTIME_PASSWORD: PASSWORD,
});

/** What a page takes for granted. */
function shopOf(url: string): UptimeDocument {
  const shop = { name: "Shop", url, tags: ["prod"] };
  const router = { name: "Router", url };
  const page = { slug: "shop", title: "Shop status", groups: [{ name: "All", tags: ["prod"] }] };
  return { ...NOTHING, monitors: [shop, router], status_pages: [{ ...page, published: true }] };
}

const onShop = (page: string) => ({ page, isEmpty: false });
const onNothing = (page: string) => ({ page, isEmpty: true });

const PAGES = [
  onNothing("how-to/manage-monitors.md"),
  onNothing("how-to/monitor-a-scheduled-job.md"),
  onShop("how-to/reduce-false-alarms.md"),
  onShop("how-to/silence-dependent-monitors.md"),
  onShop("how-to/schedule-maintenance.md"),
  onShop("how-to/report-uptime.md"),
  onShop("how-to/keep-monitors-in-a-file.md"),
  onShop("how-to/post-a-status-report.md"),
  onShop("reference/monitor-files.md"),
];

for (const { page, isEmpty } of PAGES)
  test(`every command of ${page} does what it says`, async () => {
    await uptime.documents.import(isEmpty ? NOTHING : shopOf(target.url), { prune: true });
    await follow(page);
  });

test("the command line keeps the password as its page says", async () => {
  const page = "how-to/log-in-to-the-uptime-service.md";
  const shell = openGuideShell(folder.path, page, {});
  await shell.type(`orchestrator config set ORCHESTRATOR_API_URL=${server.url}/api`);
  await follow(page, shell);
});

test("a status page is made, arranged and deleted as its page says", async () => {
  const { status_pages: _, ...monitors } = shopOf(target.url);
  await uptime.documents.import({ ...monitors, status_pages: [] }, { prune: true });
  expect(await follow("how-to/publish-a-status-page.md")).toContain("/uptime/status/shop");
});

test("results, incidents and figures are read as their page says", async () => {
  await uptime.documents.import(shopOf(`${target.url}/broken`), { prune: true });
  const { id } = await monitorNamed("Shop");
  await uptime.monitors.check(id);
  await follow("reference/results.md");
});

function follow(
  page: string,
  shell = openGuideShell(folder.path, page, commandEnv()),
): Promise<string> {
  const replaced = {
    "http://127.0.0.1:4200": server.url,
    "https://db.example.com:5432": target.url,
    "https://shop.example.com": target.url,
    "https://api.example.com": target.url,
    "https://new.example.com": target.url,
    "39wdsjqzQZrrE3Bpim9zKGHB": PASSWORD,
  };
  return expectGuideToWork(page, { shell, placeholders: PLACEHOLDERS, replaced });
}

async function monitorNamed(name: string) {
  const found = (await uptime.monitors.list()).find((monitor) => monitor.name === name);
  if (found === undefined) throw new Error(`There is no monitor ${name}`);
  return found;
}

const pageId = async () => (await uptime.statusPages.list())[0]?.id ?? "";

const PLACEHOLDERS: Readonly<Record<string, Lookup>> = {
  "monitor id": async () => (await monitorNamed("Shop")).id,
  "page id": pageId,
  "report id": async () => (await uptime.statusReports.list(await pageId()))[0]?.id ?? "",
  "window id": async () => (await uptime.maintenance.list())[0]?.id ?? "",
  "incident id": async () => (await uptime.incidents.list({ open: true }))[0]?.id ?? "",
  "heartbeat address": (printed) => /http\S+\/heartbeat\/\S+/.exec(printed)?.[0] ?? "",
};

/** Answers `ok`; below `/broken` it hangs up. */
async function startTarget() {
  const http = createServer((request, response) => {
    if (request.url?.startsWith("/broken") === true) request.socket.destroy();
    else response.end("ok");
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const { port } = http.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
}
