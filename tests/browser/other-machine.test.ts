// From another machine and without TLS, browsers keep some of what they can do from a page.
import { describe, expect, test } from "vitest";
import { buttonIn } from "./automation-builder.ts";
import { barriersOf } from "./barriers.ts";
import { hasBrowser, OTHER_HOST, openPage } from "./open-page.ts";
import { sharedPlace, startFilledServer } from "./shared-place.ts";

describe.skipIf(!hasBrowser)("a person who opens the web UI from another machine", () => {
  const place = sharedPlace(() =>
    startFilledServer({
      ORCHESTRATOR_SERVER_HOST: "0.0.0.0",
      ORCHESTRATOR_SERVER_ALLOWED_HOSTS: OTHER_HOST,
    }),
  );
  /** In a profile of its own, since one stops the clock there. */
  const open = async (path: string) => {
    const url = `http://${OTHER_HOST}:${new URL(place.server.url).port}${path}`;
    const watched = await openPage(place.browser, url, { isOwn: true });
    expect(await watched.page.evaluate("isSecureContext")).toBe(false);
    return watched;
  };

  test("sees its pages, and starts a run", async () => {
    await using watched = await open("/dashboard");
    const { page, complaints } = watched;
    await page.locator("main h1").waitFor();
    await page.goto(new URL(`/deployments/${place.server.filled.deployment.id}`, page.url()).href);
    await buttonIn(page, "Run").click();
    await page.getByLabel("Source *").fill("lake");
    await page.getByRole("dialog").getByRole("button", { name: "Run", exact: true }).click();
    await page.waitForURL(/\/runs\/[0-9a-f-]{36}/);
    await page.locator("main h1").waitFor();
    expect(complaints).toEqual([]);
  });

  test("copies a secret, and is told where the browser refuses, with the secret marked", async () => {
    await using watched = await open("/webhooks");
    const { page, complaints } = watched;
    await buttonIn(page, "Rotate URL of payments").click();
    await buttonIn(page, "Rotate URL").click();
    const dialog = page.getByRole("dialog", { name: "URL of payments" });
    const secret = await dialog.locator("pre").first().innerText();
    expect(secret).toContain(OTHER_HOST);
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

    await buttonIn(page, "I have copied it").click();
    await buttonIn(page, "New webhook").click();
    const name = page.getByLabel("Name", { exact: true });
    await name.focus();
    await page.keyboard.press("ControlOrMeta+v");
    expect(await name.inputValue()).toBe(secret);
    expect(complaints).toEqual([]);
  });
});
