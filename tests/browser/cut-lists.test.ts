// What is found where there is more than a page is sent at once, in a real browser.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BuilderServer, startBuilderServer } from "./automation-builder.ts";
import { hasBrowser } from "./open-page.ts";

/** More than the server sends at once. */
const MANY = 205;
const VERSIONS = 55;

describe.skipIf(!hasBrowser)("a person who has very many things", () => {
  let server: BuilderServer;
  beforeAll(async () => {
    server = await startBuilderServer();
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
  });

  const make = async (page: Page, path: string, data: unknown): Promise<{ id: string }> => {
    const response = await page.request.post(new URL(`/api${path}`, page.url()).href, { data });
    expect(response.ok(), await response.text()).toBe(true);
    return (await response.json()) as { id: string };
  };
  const automation = (name: string, id: string) => ({
    name,
    trigger: {
      type: "event",
      posture: "Reactive",
      match: { "orchestrator.resource.id": id },
      threshold: 1,
      within: 0,
    },
    actions: [{ type: "do-nothing" }],
  });

  test("finds an automation by its name, and on its monitor, behind two hundred others", async () => {
    await using watched = await server.open("/automations");
    const { page, complaints } = watched;
    const monitor = `orchestrator.monitor.${server.monitor}`;
    for (let i = 0; i < MANY; i += 1)
      await make(page, "/automations/", automation(`Bulk ${i}`, `bulk.${i}`));
    await make(page, "/automations/", automation("Zebra crossing", monitor));
    await page.getByText("Only the first 200 are shown.").waitFor();
    await page.getByLabel("Search automations by name").fill("zebra");
    await page.getByRole("link", { name: "Zebra crossing" }).waitFor();
    await page.getByText("Only the first 200 are shown.").waitFor({ state: "detached" });
    await page.getByLabel("Search automations by name").fill("no such thing");
    await page.getByText("No matching automations").waitFor();

    await page.goto(new URL(`/monitors/${server.monitor}?tab=settings`, page.url()).href);
    await page.getByRole("link", { name: "Zebra crossing" }).waitFor();
    expect(complaints).toEqual([]);
  });

  test("opens a version of an artifact that is older than those in the list", async () => {
    await using watched = await server.open("/artifacts");
    const { page, complaints } = watched;
    const ids: string[] = [];
    for (let i = 0; i < VERSIONS; i += 1) {
      const version = { key: "stock", type: "markdown", data: `Version ${i} of it` };
      ids.push((await make(page, "/artifacts/", version)).id);
    }
    await page.goto(new URL(`/artifacts/stock?version=${ids[0]}`, page.url()).href);
    await page.getByText("Version 0 of it").waitFor();
    await page.getByText("Only the latest 50 are listed.").waitFor();
    expect(await page.getByLabel("Version", { exact: true }).inputValue()).toBe(ids[0]);
    await page.getByLabel("Version", { exact: true }).selectOption(ids.at(-1) ?? "");
    await page.getByText(`Version ${VERSIONS - 1} of it`).waitFor();
    expect(complaints).toEqual([]);

    await make(page, "/artifacts/", { key: "other", type: "markdown", data: "Another one" });
    await page.goto(new URL(`/artifacts/other?version=${ids[0]}`, page.url()).href);
    await page.getByText("This artifact has no such version.").waitFor();
    expect(await page.getByText("Version 0 of it").count()).toBe(0);
  });
});
