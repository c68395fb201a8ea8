// What people do where everybody signs in, in a real browser.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { retryUntil } from "../support/until.ts";
import {
  buttonOf,
  heading,
  inviteAndJoin,
  signInByKey,
  signInByPassword,
} from "./accounts-server.ts";
import { barriersInEitherTheme, barriersOf } from "./barriers.ts";
import { hasBrowser, openPage, type WatchedPage } from "./open-page.ts";
import { PAGES_OF_ACCOUNTS } from "./page-list.ts";
import { sharedAccounts } from "./shared-place.ts";

const ADA = { email: "ada@example.com", password: "correct horse battery" };

describe.skipIf(!hasBrowser)("a person with an account", () => {
  const place = sharedAccounts();

  test("is led to where one signs in, and then to where they wanted to go", async () => {
    await using watched = await place.open("/variables?text=region");
    const { page } = watched;
    await heading(page, "Sign in").waitFor();
    await signInByPassword(page, { email: "nobody@example.com", password: "wrong password" });
    await page.getByRole("alert").getByText("The email or the password is wrong").waitFor();
    await signInByKey(page, place.server.key);
    await heading(page, "Variables").waitFor();
    expect(new URL(page.url()).search).toBe("?text=region");
    expect(new URL(page.url()).pathname).toMatch(
      /^\/accounts\/[\da-f-]{36}\/workspaces\/[\da-f-]{36}\/variables$/,
    );
    const kept = await page.evaluate("JSON.stringify([localStorage, sessionStorage])");
    expect(kept).not.toContain(place.server.key);
    expect(await page.evaluate("document.cookie")).toBe("");
  });

  test("does not go to another site after signing in, whatever the address says", async () => {
    for (const next of ["https://example.com/", "//example.com/", "/\\example.com"]) {
      const address = `${place.server.url}/login?next=${encodeURIComponent(next)}`;
      await using watched = await openPage(place.browser, address);
      await signInByKey(watched.page, place.server.key);
      await heading(watched.page, "Dashboard").waitFor();
      expect(new URL(watched.page.url()).origin).toBe(place.server.url);
    }
  });

  test("chooses a password, signs out, and signs in with it", async () => {
    await using watched = await place.openAsOwner("/profile");
    const { page } = watched;
    await page.getByLabel("Email").fill(ADA.email);
    await buttonOf(page, "Save").click();
    await page.getByLabel("New password").fill("short");
    await buttonOf(page, "Set password").click();
    await page.getByRole("alert").waitFor();
    await page.getByLabel("New password").fill(ADA.password);
    await buttonOf(page, "Set password").click();
    await page.getByLabel("Current password").waitFor();
    await buttonOf(page, /ada@example\.com/).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await heading(page, "Sign in").waitFor();
    expect((await page.request.get(`${place.server.url}/api/me`)).status()).toBe(401);
    await signInByPassword(page, ADA);
    await heading(page, "Dashboard").waitFor();
    await page.goto(`${place.server.url}/profile`);
    await page.getByRole("cell", { name: "(current)" }).waitFor();
  });

  test("is told how long to wait after too many wrong passwords", async () => {
    await using watched = await place.open("/login");
    const { page } = watched;
    const alert = page.getByRole("alert");
    const wrong = { email: "guessed@example.com", password: "a guess" };
    const answered = () => page.waitForResponse((one) => one.url().endsWith("/auth/login"));
    let status = 0;
    // On a slow machine the first waits are over before the next attempt.
    while (status !== 429) {
      const answer = answered();
      await signInByPassword(page, wrong);
      status = (await answer).status();
    }
    await alert.getByText(/Too many failed logins.*Try again in \d/).waitFor();
  });

  test("makes a workspace and works in it, and a link leads a colleague there", async () => {
    await place.server.ask("POST", "/variables/", { name: "of_the_first", value: 1 });
    await using watched = await place.openAsOwner("/account/workspaces");
    const { page, complaints } = watched;
    await buttonOf(page, "New workspace").click();
    await page.getByLabel("Name", { exact: true }).fill("The shop");
    expect(await page.getByLabel("Handle").inputValue()).toBe("the-shop");
    await buttonOf(page, "Save").click();
    await page.getByRole("link", { name: "The shop" }).waitFor();
    await page.goto(`${place.server.url}/variables`);
    await page.getByText("of_the_first").waitFor();
    await buttonOf(page, /^Default/).click();
    await page.getByRole("menu", { name: "Workspaces" }).waitFor();
    expect(await barriersOf(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await buttonOf(page, /^Default/).press("Enter");
    await page.getByRole("menuitem", { name: "The shop" }).click();
    await page.getByText("No variables yet").waitFor();
    expect(await page.getByText("of_the_first").count()).toBe(0);

    // What changes there is heard of there.
    const [, prefix = ""] = /(\/accounts\/.*)\/variables/.exec(page.url()) ?? [];
    let made = 0;
    await retryUntil(async () => {
      made += 1;
      await place.server.ask("POST", `${prefix}/variables/`, {
        name: `of_the_shop_${made}`,
        value: 2,
      });
      await page.getByText("of_the_shop_1", { exact: true }).waitFor({ timeout: 3000 });
    });

    const cleo = { name: "Cleo", email: "cleo@example.com", role: "developer" };
    await using other = await inviteAndJoin(place.browser, place.server, cleo);
    await other.page.goto(page.url());
    await other.page.getByText("of_the_shop_1", { exact: true }).waitFor();
    await buttonOf(other.page, /^The shop/).waitFor();
    await other.page.goto(`${place.server.url}/runs`);
    await heading(other.page, "Runs").waitFor();
    expect(other.page.url()).toContain(prefix);
    const nowhere = prefix.replace(/.$/, (last) => (last === "a" ? "b" : "a"));
    await other.page.goto(`${place.server.url}${nowhere}/runs`);
    await heading(other.page, "Workspace not found").waitFor();
    expect([...complaints, ...other.complaints].filter((text) => !text.includes("401"))).toEqual(
      [],
    );
  });

  test("makes a key that is shown once and works, and revokes it", async () => {
    await using watched = await place.openAsOwner("/account/keys");
    const { page } = watched;
    await buttonOf(page, "New key").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("ci");
    await dialog.getByLabel("Role").selectOption("runner");
    await dialog.getByLabel("All workspaces, including future ones").uncheck();
    await dialog.getByLabel("Default").check();
    await buttonOf(page, "Create key").click();
    const key = (await dialog.locator("code").first().textContent()) ?? "";
    expect(key).toMatch(/^orc_/);
    const headers = { authorization: `Bearer ${key}` };
    const me = () => fetch(`${place.server.url}/api/me`, { headers });
    expect(await (await me()).json()).toMatchObject({ role: "runner" });
    await buttonOf(page, "I have copied it").click();
    await page.getByRole("cell", { name: "ci orc_" }).waitFor();
    expect(await page.content()).not.toContain(key);
    await buttonOf(page, "Revoke ci").click();
    await buttonOf(page, "Revoke key").click();
    await page.getByRole("cell", { name: "ci orc_" }).waitFor({ state: "detached" });
    expect((await me()).status).toBe(401);
  });

  test("makes a service account, and sees in the audit log who did it", async () => {
    await using watched = await place.openAsOwner("/account/service-accounts");
    const { page } = watched;
    await buttonOf(page, "New service account").click();
    await page.getByRole("dialog").getByLabel("Name").fill("nightly worker");
    await buttonOf(page, "Create").click();
    await page.getByRole("cell", { name: "nightly worker", exact: true }).waitFor();
    await page.getByRole("tab", { name: "Audit log" }).click();
    await page.getByLabel("Operation").fill("createServiceAccount");
    await page.getByRole("cell", { name: "createServiceAccount nightly worker" }).waitFor();
    await buttonOf(page, "Details of createServiceAccount").click();
    await page.getByRole("dialog").getByText("POST /api/accounts/").waitFor();
    await buttonOf(page, "Close").click();
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "CSV" }).click();
    expect((await download).suggestedFilename()).toBe("audit.csv");
  });

  test("deletes a workspace only after its handle was typed", async () => {
    await using watched = await place.openAsOwner("/account/workspaces");
    const { page } = watched;
    await buttonOf(page, "New workspace").click();
    await page.getByLabel("Name", { exact: true }).fill("Short-lived");
    await buttonOf(page, "Save").click();
    await page.getByRole("link", { name: "Short-lived" }).click();
    await buttonOf(page, /^Short-lived/).waitFor();
    await page.goto(`${page.url()}/account/workspaces`);
    await buttonOf(page, "Delete Short-lived").click();
    const verb = buttonOf(page, "Delete workspace");
    await page.getByLabel("Type short-lived to confirm").fill("shop");
    expect(await verb.isDisabled()).toBe(true);
    await page.getByLabel("Type short-lived to confirm").fill("short-lived");
    await verb.click();
    await buttonOf(page, /^Default/).waitFor();
    await page.getByRole("link", { name: "Default" }).waitFor();
    expect(await page.getByText("Short-lived").count()).toBe(0);
  });

  test("says how much a workspace may have, and is told when it has that", async () => {
    await using watched = await place.openAsOwner("/account/workspaces");
    const { page } = watched;
    await buttonOf(page, "Quotas of Default").click();
    await page.getByLabel("Flow runs per day").fill("some");
    await page
      .getByRole("alert")
      .getByText("Enter a number, or leave it empty for no limit.")
      .waitFor();
    await page.getByLabel("Flow runs per day").fill("0");
    expect(await barriersOf(page)).toEqual([]);
    await buttonOf(page, "Save").click();
    await page.getByText("Quotas saved").waitFor();
    const flow = await place.server.ask("POST", "/flows/", { name: "too much" });
    const refused = await place.server.ask("POST", "/flow_runs/", { flow_id: flow.body["id"] });
    expect(refused.status).toBeGreaterThanOrEqual(400);
    await buttonOf(page, "Quotas of Default").click();
    await page.getByText("0 of 0").waitFor();
    await page.getByLabel("Flow runs per day").fill("");
    await buttonOf(page, "Save").click();
    await page.getByText("Quotas saved").first().waitFor();
  });

  describe("at the pages of accounts", () => {
    let watched: WatchedPage;
    beforeAll(async () => {
      watched = await place.openAsOwner("/settings");
      await heading(watched.page, "Settings").waitFor();
    });
    afterAll(() => watched[Symbol.asyncDispose]());

    test.each(PAGES_OF_ACCOUNTS)(
      "renders %s without axe violations (light, dark, 1280 and 390 px)",
      async (path) => {
        const { page } = watched;
        await page.goto(`${place.server.url}${path}`);
        await page.locator("main h1").waitFor();
        await page.waitForLoadState("networkidle");
        for (const width of [1280, 390]) {
          await page.setViewportSize({ width, height: 900 });
          expect(await barriersInEitherTheme(page)).toEqual([]);
          expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
        }
      },
    );
  });
});
