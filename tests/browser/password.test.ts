// One password for everybody, in a real browser.
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { retryUntil } from "../support/until.ts";
import { buttonOf, heading } from "./accounts-server.ts";
import { barriersOf } from "./barriers.ts";
import { hasBrowser, openPage } from "./open-page.ts";
import { sharedPlace, startEmptyServer } from "./shared-place.ts";

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
    const place = sharedPlace(() => startEmptyServer({ ORCHESTRATOR_SERVER_AUTH_STRING: secret }));

    test("gives it on a page, sees changes as they come, and signs out", async () => {
      await using watched = await openPage(place.browser, "about:blank");
      const { page } = watched;
      const dialogues = await dialoguesOf(page);
      await page.goto(`${place.server.url}/variables?text=reg`);
      await heading(page, "Sign in").waitFor();
      expect(await barriersOf(page)).toEqual([]);
      await page.getByLabel("Password").fill("admin:other");
      await buttonOf(page, "Sign in").click();
      await page.getByRole("alert").getByText("The credentials are missing or wrong").waitFor();
      await page.getByLabel("Password").fill(secret);
      await buttonOf(page, "Sign in").click();
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
      await retryUntil(async () => {
        made += 1;
        const body = JSON.stringify({ name: `region_${made}`, value: "eu" });
        await fetch(`${place.server.url}/api/variables/`, { method: "POST", headers, body });
        await page.getByText("region_1", { exact: true }).waitFor({ timeout: 3000 });
      });

      await buttonOf(page, "Sign out").click();
      await heading(page, "Sign in").waitFor();
      const kept = await page.evaluate("JSON.stringify([localStorage, sessionStorage])");
      expect(kept).not.toContain(secret);
      await page.goto(`${place.server.url}/flows`);
      await heading(page, "Sign in").waitFor();
      expect(dialogues).toEqual([]);
    });
  },
);
