// One password for everybody, in a real browser.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ServerProcess, startServer } from "../support/server-process.ts";
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.ts";
import { until } from "../support/until.ts";
import { button, heading } from "./accounts-server.ts";
import { barriersOf, hasBrowser, openBrowser, openPage } from "./open-page.ts";

/** Where the browser would open a dialogue of its own for credentials. */
async function dialoguesOf(page: Page): Promise<readonly string[]> {
  const asked: string[] = [];
  const session = await page.context().newCDPSession(page);
  session.on("Fetch.requestPaused", ({ requestId }) => {
    void session.send("Fetch.continueRequest", { requestId }).catch(() => {});
  });
  session.on("Fetch.authRequired", ({ requestId, request }) => {
    asked.push(request.url);
    const authChallengeResponse = { response: "CancelAuth" } as const;
    const answer = { requestId, authChallengeResponse };
    void session.send("Fetch.continueWithAuth", answer).catch(() => {});
  });
  await session.send("Fetch.enable", { handleAuthRequests: true });
  return asked;
}

describe.skipIf(!hasBrowser).each(["admin:gr\u00fcn und blau", "one-word-only"])(
  "a person who knows the one password, such as %s,",
  (secret) => {
    let browser: Browser;
    let home: TemporaryFolder;
    let server: ServerProcess;
    beforeAll(async () => {
      browser = await openBrowser();
      home = await temporaryFolder();
      const env = { ORCHESTRATOR_SERVER_AUTH_STRING: secret };
      server = await startServer({ home: home.path, env });
    });
    afterAll(async () => {
      await browser.close();
      await server[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    });

    test("gives it on a page, sees changes as they come, and signs out", async () => {
      await using watched = await openPage(browser, "about:blank");
      const { page } = watched;
      const dialogues = await dialoguesOf(page);
      await page.goto(`${server.url}/variables?text=reg`);
      await heading(page, "Sign in").waitFor();
      expect(await barriersOf(page)).toEqual([]);
      await page.getByLabel("Password").fill("admin:other");
      await button(page, "Sign in").click();
      await page.getByRole("alert").getByText("The credentials are missing or wrong").waitFor();
      await page.getByLabel("Password").fill(secret);
      await button(page, "Sign in").click();
      await heading(page, "Variables").waitFor();
      expect(new URL(page.url()).search).toBe("?text=reg");
      await page.reload();
      await page.getByText("No matching variables").waitFor();
      const headers = {
        authorization: `Basic ${Buffer.from(secret).toString("base64")}`,
        "content-type": "application/json",
      };
      // The page tells of changes from when it listens, which nobody else can see.
      let made = 0;
      await until(async () => {
        made += 1;
        const body = JSON.stringify({ name: `region_${made}`, value: "eu" });
        await fetch(`${server.url}/api/variables/`, { method: "POST", headers, body });
        await page.getByText("region_1", { exact: true }).waitFor({ timeout: 3000 });
      });

      await button(page, "Sign out").click();
      await heading(page, "Sign in").waitFor();
      const kept = await page.evaluate("JSON.stringify([localStorage, sessionStorage])");
      expect(kept).not.toContain(secret);
      await page.goto(`${server.url}/flows`);
      await heading(page, "Sign in").waitFor();
      expect(dialogues).toEqual([]);
    });
  },
);
