// Becoming a member, in a real browser.
import type { CreatedAccount } from "@orchestrator/contract";
import { describe, expect, test } from "vitest";
import { buttonOf, heading, inviteAndJoin } from "./accounts-server.ts";
import { barriersOf } from "./barriers.ts";
import { hasBrowser, openPage } from "./open-page.ts";
import { sharedAccounts } from "./shared-place.ts";

describe.skipIf(!hasBrowser)("a person with an invitation", () => {
  const place = sharedAccounts();

  test("accepts an invitation under another email as who they are", async () => {
    const person = { name: "Una", email: "una@example.com", role: "viewer" };
    await using watched = await inviteAndJoin(place.browser, place.server, person);
    const { page } = watched;
    const path = `/accounts/${place.server.accountId}/invitations`;
    const wanted = { email: "una@elsewhere.example", role: "viewer" };
    const { body } = await place.server.ask("POST", path, wanted);
    await page.goto(body["link"] ?? "");
    await page.getByText("You are signed in as Una (una@example.com)").waitFor();
    expect(await barriersOf(page)).toEqual([]);
    const asNew = buttonOf(page, "Join as a new user");
    expect(await page.locator(".button--primary").allTextContents()).toEqual([
      await asNew.textContent(),
    ]);
    await asNew.click();
    await page.getByLabel("Your name").waitFor();
    await page.reload();
    await buttonOf(page, "Accept as Una (my email becomes una@elsewhere.example)").click();
    await heading(page, "Dashboard").waitFor();
    const { body: members } = await place.server.ask(
      "GET",
      `/accounts/${place.server.accountId}/members`,
    );
    const unas = Object.values(members as object).filter(({ name }) => name === "Una");
    expect(unas).toMatchObject([{ email: "una@elsewhere.example" }]);
  });

  test("invites somebody with a link, who may look and change nothing", async () => {
    await using watched = await place.openAsOwner("/account/members");
    const { page } = watched;
    await buttonOf(page, "Invite").click();
    await page.getByLabel("Email").fill("vic@example.com");
    await page.getByRole("dialog").getByLabel("Role").selectOption("viewer");
    await buttonOf(page, "Create link").click();
    const link = (await page.getByRole("dialog").locator("code").textContent()) ?? "";
    expect(link).toMatch(new RegExp(`^${place.server.url}/invitation\\?token=`));
    await buttonOf(page, "I have copied it").click();
    await page.getByRole("cell", { name: "vic@example.com", exact: true }).waitFor();

    await using guest = await openPage(place.browser, link);
    await guest.page.getByText("vic@example.com is invited as viewer").waitFor();
    await guest.page.getByLabel("Your name").fill("Vic");
    await guest.page.getByLabel("Choose a password").fill("a horse that is correct");
    await buttonOf(guest.page, "Accept").click();
    await heading(guest.page, "Dashboard").waitFor();
    await guest.page.goto(`${place.server.url}/variables`);
    const make = buttonOf(guest.page, "New variable");
    await make.waitFor();
    expect(await make.isDisabled()).toBe(true);
    expect(await make.getAttribute("title")).toBe("The role viewer may not do this");
    const origin = { origin: place.server.url };
    const data = { name: "forbidden", value: 1 };
    const tried = await guest.page.request.post(`${place.server.url}/api/variables/`, {
      data,
      headers: origin,
    });
    expect(tried.status()).toBe(403);
    await guest.page.goto(`${place.server.url}/monitors`);
    await guest.page.getByText("No monitors yet").waitFor();
    expect(await buttonOf(guest.page, "New monitor").isDisabled()).toBe(true);
    await guest.page.goto(`${place.server.url}/account`);
    await guest.page.getByRole("tab", { name: "API keys" }).waitFor();
    expect(await guest.page.getByRole("tab", { name: "Members" }).count()).toBe(0);

    await using again = await openPage(place.browser, link);
    await again.page.getByRole("alert").waitFor();

    // Whoever is removed is out at once.
    await page.reload();
    await buttonOf(page, "Remove Vic").click();
    await buttonOf(page, "Remove member").click();
    await heading(guest.page, "Sign in").waitFor();
  });

  test("is offered nothing but to be who they are where the email is theirs", async () => {
    const person = { name: "Wim", email: "wim@example.com", role: "viewer" };
    await using watched = await inviteAndJoin(place.browser, place.server, person);
    const { page } = watched;
    const wanted = { name: "Second house", handle: "second-house" };
    const { account, api_key } = (await place.server.ask("POST", "/accounts/", wanted))
      .body as unknown as CreatedAccount;
    const invited = await fetch(`${place.server.url}/api/accounts/${account.id}/invitations`, {
      method: "POST",
      headers: { authorization: `Bearer ${api_key.key}`, "content-type": "application/json" },
      body: JSON.stringify({ email: person.email, role: "viewer" }),
    });
    const { link } = (await invited.json()) as { readonly link: string };
    await page.goto(link);
    const accept = buttonOf(page, "Accept as Wim");
    await accept.waitFor();
    expect(await page.locator("form button").allTextContents()).toEqual(["Accept as Wim"]);
    await accept.click();
    await heading(page, "Dashboard").waitFor();
  });
});
