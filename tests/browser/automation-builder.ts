// A server on which automations are built by hand, and what every such journey does.
import type { Automation } from "@orchestrator/contract";
import type { BrowserContextOptions, Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { type SwitchedTarget, startSwitchedTarget } from "../support/switched-target.ts";
import { type FilledRecords, makeAt } from "./fill.ts";
import { fillMonitors, UPTIME_ENV } from "./fill-monitors.ts";
import { logIn } from "./log-in.ts";
import { openPage, sharedBrowser, type WatchedPage } from "./open-page.ts";
import type { ProfileOptions } from "./profiles.ts";
import { startFilledServer } from "./shared-place.ts";

export interface BuilderServer extends AsyncDisposable {
  readonly filled: FilledRecords;
  /** A webhook block, a queue and a monitor by their ids. */
  readonly hook: string;
  readonly queue: string;
  readonly monitor: string;
  /** A page of the server in a browser that is logged in. */
  readonly open: (path: string, options?: ProfileOptions) => Promise<WatchedPage>;
  readonly read: (id: string) => Promise<Automation>;
  /** A deployment with parameters of this schema, by its id. */
  readonly deploy: (name: string, schema: object) => Promise<string>;
  readonly emit: (event: string, resource: Labels, occurred?: Date) => Promise<void>;
}

type Labels = Readonly<Record<string, string>>;

export async function startBuilderServer(): Promise<BuilderServer> {
  const browser = await sharedBrowser();
  const target: SwitchedTarget = await startSwitchedTarget();
  const server = await startFilledServer(UPTIME_ENV);
  const { filled } = server;
  const make = makeAt(server.url);
  const { monitors } = await fillMonitors(server.url, target.url);
  const types = (await make("/block_types/filter", {
    block_types: { slug: { any_: ["webhook"] } },
  })) as unknown as readonly { readonly id: string }[];
  const hook = await make("/block_documents/", {
    name: "stock-keeper",
    block_type_id: types[0]?.id,
    data: { url: "http://127.0.0.1:9/" },
  });
  const queue = await make(`/work_pools/${filled.pool.name}/queues`, { name: "urgent" });
  let storageState: BrowserContextOptions["storageState"];
  return {
    filled,
    hook: hook.id,
    queue: queue.id,
    monitor: monitors[0]?.id ?? "",
    async open(path, options) {
      if (storageState === undefined) {
        await using entered = await openPage(browser, `${server.url}/monitors`);
        await logIn(entered.page);
        storageState = await entered.page.context().storageState();
      }
      return openPage(browser, `${server.url}${path}`, { ...options, storageState });
    },
    async read(id) {
      const response = await fetch(`${server.url}/api/automations/${id}`);
      return (await response.json()) as Automation;
    },
    async deploy(name, schema) {
      const flow_id = filled.flow.id;
      const made = await make("/deployments/", {
        name,
        flow_id,
        enforce_parameter_schema: true,
        parameter_openapi_schema: schema,
      });
      return made.id;
    },
    async emit(event, resource, occurred = new Date()) {
      const id = crypto.randomUUID();
      await make("/events", [{ id, occurred: occurred.toISOString(), event, resource }]);
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await target[Symbol.asyncDispose]();
    },
  };
}

export const buttonIn = (place: Page | Locator, name: string): Locator =>
  place.getByRole("button", { name, exact: true });

/** Begins an automation with nothing in it. */
export async function beginBlank(page: Page, name: string): Promise<void> {
  await page.getByRole("link", { name: /Start from scratch/ }).click();
  await page.getByLabel("Name", { exact: true }).first().fill(name);
}

/** Saves what was built, and reads what the server keeps of it. */
export async function saveAutomation(page: Page, { read }: BuilderServer): Promise<Automation> {
  await buttonIn(page, "Create automation").click();
  await page.waitForURL(/\/automations\/[0-9a-f-]{36}$/);
  return read(page.url().split("/").at(-1) ?? "");
}

/** Saves what was changed; the page of the automation comes after it. */
export async function save(page: Page): Promise<void> {
  await buttonIn(page, "Save").click();
  await page.waitForURL(/\/automations\/[0-9a-f-]{36}$/);
}

/**
 * Opens the form of an automation, changes nothing, saves it, and expects that nothing has changed.
 */
export async function saveUnchanged(page: Page, { read }: BuilderServer): Promise<void> {
  const before = await read(page.url().split("/").at(-1) ?? "");
  await page.getByRole("link", { name: "Edit", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: `Edit ${before.name}` }).waitFor();
  await save(page);
  expect(settled(await read(before.id))).toEqual(settled(before));
}

/** An automation without what every save makes anew. */
function settled(automation: Automation): unknown {
  const { trigger, updated: _, ...rest } = automation;
  return { ...rest, trigger: withoutIds(trigger) };
}

export function withoutIds(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutIds);
  const { id: _, ...rest } = value as { readonly id?: unknown };
  return Object.fromEntries(Object.entries(rest).map(([key, of]) => [key, withoutIds(of)]));
}
