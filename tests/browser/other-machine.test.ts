// From another machine and without TLS, browsers keep some of what they can do from a page.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ServerProcess, startServer } from "../support/server-process.ts";
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.ts";
import { button } from "./automation-builder.ts";
import { type Filled, fill } from "./fill.ts";
import { barriersOf, hasBrowser, openBrowser, openPage } from "./open-page.ts";

const HOST = "server.test";

describe.skipIf(!hasBrowser)("a person who opens the web UI from another machine", () => {
  let browser: Browser;
  let home: TemporaryFolder;
  let server: ServerProcess;
  let filled: Filled;
  beforeAll(async () => {
    browser = await openBrowser([`--host-resolver-rules=MAP ${HOST} 127.0.0.1`]);
    home = await temporaryFolder();
    server = await startServer({
      home: home.path,
      env: { ORCHESTRATOR_SERVER_HOST: "0.0.0.0", ORCHESTRATOR_SERVER_ALLOWED_HOSTS: HOST },
    });
    filled = await fill(server.url);
  });
  afterAll(async () => {
    await browser.close();
    await server[Symbol.asyncDispose]();
    await home[Symbol.asyncDispose]();
  });
  const open = async (path: string) => {
    const url = `http://${HOST}:${new URL(server.url).port}${path}`;
    const watched = await openPage(browser, url);
    expect(await watched.page.evaluate("isSecureContext")).toBe(false);
    return watched;
  };

  test("sees its pages, and starts a run", async () => {
    await using watched = await open("/dashboard");
    const { page, complaints } = watched;
    await page.locator("main h1").waitFor();
    await page.goto(new URL(`/deployments/${filled.deployment.id}`, page.url()).href);
    await button(page, "Run").click();
    await page.getByLabel("Source *").fill("lake");
    await page.getByRole("dialog").getByRole("button", { name: "Run", exact: true }).click();
    await page.waitForURL(/\/runs\/[0-9a-f-]{36}/);
    await page.locator("main h1").waitFor();
    expect(complaints).toEqual([]);
  });

  test("copies a secret, and is told where the browser refuses, with the secret marked", async () => {
    await using watched = await open("/webhooks");
    const { page, complaints } = watched;
    await button(page, "Rotate URL of payments").click();
    await button(page, "Rotate URL").click();
    const dialog = page.getByRole("dialog", { name: "URL of payments" });
    const secret = await dialog.locator("pre").first().innerText();
    expect(secret).toContain(HOST);
    const copy = dialog.getByRole("button", { name: "Copy", exact: true });
    // The word stands there for a moment only, which a slow machine could miss.
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    await copy.first().click();
    await dialog.getByRole("button", { name: "Copied", exact: true }).waitFor();
    await page.clock.resume();
    await copy.nth(1).waitFor();
    await page.evaluate("document.execCommand = () => false");
    await copy.first().click();
    await dialog.getByRole("alert").getByText("The browser blocked copying.").waitFor();
    expect(await page.evaluate("getSelection().toString()")).toBe(secret);
    expect(await barriersOf(page)).toEqual([]);

    await button(page, "I have copied it").click();
    await button(page, "New webhook").click();
    const name = page.getByLabel("Name", { exact: true });
    await name.focus();
    await page.keyboard.press("ControlOrMeta+v");
    expect(await name.inputValue()).toBe(secret);
    expect(complaints).toEqual([]);
  });
});
