// What people do with work pools, in a real browser.
import { describe, expect, test } from "vitest";
import { buttonOf, heading, inviteAndJoin } from "./accounts-server.ts";
import { barriersOf } from "./barriers.ts";
import { makeAt } from "./fill.ts";
import { hasBrowser } from "./open-page.ts";
import { sharedAccounts, sharedFilled } from "./shared-place.ts";

const TEMPLATE = {
  job_configuration: { command: "{{ command }}" },
  variables: { type: "object", properties: { command: { type: "string" } } },
};

describe.skipIf(!hasBrowser)("a person at a work pool", () => {
  const place = sharedFilled();
  const read = async (pool: string) =>
    (await fetch(`${place.server.url}/api/work_pools/${pool}`)).json() as Promise<unknown>;

  test("changes what it says, how much it runs at once and how, and is told what the server has against it", async () => {
    await makeAt(place.server.url)("/work_pools/", { name: "eu", type: "process" });
    await using watched = await place.open("/work-pools/eu");
    const { page, complaints } = watched;
    await buttonOf(page, "Edit").click();
    const dialog = page.getByRole("dialog", { name: "Edit eu" });
    await dialog.getByLabel("Description").fill("Machines in Frankfurt");
    await dialog.getByLabel("Concurrency limit").fill("3");
    const template = dialog.getByLabel("Base job template");
    await template.fill("{ job");
    await dialog.getByText(/JSON/).waitFor();
    expect(await buttonOf(page, "Save").isDisabled()).toBe(true);
    await template.fill(JSON.stringify({ ...TEMPLATE, variables: {} }));
    await buttonOf(page, "Save").click();
    await dialog.getByText("does not declare: command").waitFor();
    expect(await barriersOf(page)).toEqual([]);
    expect(await read("eu")).toMatchObject({ description: null, concurrency_limit: null });
    await template.fill(JSON.stringify(TEMPLATE));
    await buttonOf(page, "Save").click();
    await page.getByText("Saved eu").waitFor();
    await dialog.waitFor({ state: "detached" });
    await page.getByText("Machines in Frankfurt").waitFor();
    await page.getByText("0 of 3 in use").waitFor();
    expect(await read("eu")).toMatchObject({ base_job_template: TEMPLATE });
    // A refusal is written to the console by the browser itself.
    expect(complaints.filter((line) => !line.includes("status of 4"))).toEqual([]);
  });

  test("makes one for containers, which begins with what their workers understand", async () => {
    await using watched = await place.open("/work-pools");
    const { page, complaints } = watched;
    await buttonOf(page, "New pool").click();
    const dialog = page.getByRole("dialog", { name: "New work pool" });
    await dialog.getByLabel("Name").fill("containers");
    await dialog.getByLabel("Type").selectOption({ label: "Docker" });
    await dialog.getByText("in a container of a Docker engine").waitFor();
    expect(await barriersOf(page)).toEqual([]);
    await buttonOf(page, "Create").click();
    await heading(page, "containers").waitFor();
    expect(await read("containers")).toMatchObject({
      type: "docker",
      base_job_template: { variables: { properties: { image: { type: "string" } } } },
    });
    expect(complaints).toEqual([]);
  });

  test("takes a limit away and leaves what somebody else changed meanwhile", async () => {
    const make = makeAt(place.server.url);
    await make("/work_pools/", { name: "us", type: "process", concurrency_limit: 2 });
    await using watched = await place.open("/work-pools/us");
    const { page } = watched;
    await buttonOf(page, "Edit").click();
    const dialog = page.getByRole("dialog", { name: "Edit us" });
    await dialog.getByLabel("Concurrency limit").fill("");
    await fetch(`${place.server.url}/api/work_pools/us`, {
      method: "PATCH",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ description: "Said meanwhile" }),
    });
    await page.getByText("Said meanwhile").waitFor();
    await buttonOf(page, "Save").click();
    await dialog.waitFor({ state: "detached" });
    await page.getByText("no limit").first().waitFor();
    const pool = { concurrency_limit: null, description: "Said meanwhile" };
    expect(await read("us")).toMatchObject(pool);
  });
});

describe.skipIf(!hasBrowser)("a person who may only look at a work pool", () => {
  const place = sharedAccounts();

  test("reads why it may not be changed", async () => {
    await place.server.ask("POST", "/work_pools/", { name: "eu", type: "process" });
    const person = { name: "Vic", email: "vic@example.com", role: "viewer" };
    await using watched = await inviteAndJoin(place.browser, place.server, person);
    const { page } = watched;
    await page.goto(`${place.server.url}/work-pools/eu`);
    await heading(page, "eu").waitFor();
    await page.getByRole("button", { name: "Pause", exact: true, disabled: true }).waitFor();
    expect(await buttonOf(page, "Edit").isDisabled()).toBe(true);
  });
});
