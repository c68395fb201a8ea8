// What people do with events, automations and blocks, in a real browser.
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { barriersInBothThemes, barriersOf } from "./barriers.ts";
import { choose } from "./choose.ts";
import type { FilledRecords } from "./fill.ts";
import { hasBrowser } from "./open-page.ts";
import { sharedFilled } from "./shared-place.ts";

describe.skipIf(!hasBrowser)("a person who automates", () => {
  const place = sharedFilled();

  const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
  const call = async (path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(
      `${place.server.url}/api${path}`,
      body === undefined
        ? {}
        : {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify(body),
          },
    );
    const text = await response.text();
    expect(response.ok, text).toBe(true);
    return text === "" ? undefined : JSON.parse(text);
  };
  const emit = (event: string, resource: string) =>
    call("/events", [
      {
        id: crypto.randomUUID(),
        occurred: new Date().toISOString(),
        event,
        resource: { "orchestrator.resource.id": resource },
        payload: { from: "a test" },
      },
    ]);

  test("builds an automation, tries it against the past, and sees it fire", async () => {
    await emit("parcel.lost", "parcel.0");
    await using watched = await place.open("/automations/new");
    const { page, complaints } = watched;
    await page.getByRole("link", { name: /Start from scratch/ }).click();
    await page.getByLabel("Name", { exact: true }).fill("Look for lost parcels");
    await page.getByLabel("Events", { exact: true }).first().fill("parcel.lost");
    await page.keyboard.press("Enter");
    await page.getByText("When parcel.lost happens").waitFor();
    await button(page, "Simulate").click();
    await page.getByText("It would have fired once").waitFor();

    await button(page, "Add an action").click();
    await page.getByLabel("Action 1", { exact: true }).last().selectOption("run-deployment");
    await button(page, "Create automation").click();
    await page.getByRole("alert").waitFor();
    await choose(page, "Deployment", "nightly-import/every-night");
    await page.getByLabel("Source *").fill("parcels");
    expect(await barriersOf(page)).toEqual([]);
    await button(page, "Create automation").click();
    await page.getByText("No activity yet").waitFor();

    await emit("parcel.lost", "parcel.1");
    const table = page.getByRole("region", { name: "Activity" });
    await table.getByText("Succeeded").waitFor();
    await table.getByText("Fired").waitFor();
    await page.getByRole("tab", { name: "Trace" }).click();
    await page.getByText("The trigger has fired").waitFor();
    await page.getByRole("tab", { name: "Activity" }).click();
    await table.locator("a[href^='/runs/']").first().click();
    await page.getByRole("tab", { name: "Parameters" }).click();
    await page.getByText('"source": "parcels"').waitFor();
    expect(complaints.filter((line) => !line.includes("422"))).toEqual([]);
  });

  test("chooses by keyboard what was typed, and nothing that earlier letters have found", async () => {
    await using watched = await place.open("/automations/new");
    const { page, complaints } = watched;
    await page.getByRole("link", { name: /Start from scratch/ }).click();
    await button(page, "Add an action").click();
    await page.getByLabel("Action 1", { exact: true }).last().selectOption("run-deployment");
    const field = page.getByRole("combobox", { name: "Deployment" });
    await field.click();
    await page.getByRole("listbox", { name: "Deployment" }).getByRole("option").first().waitFor();
    await field.press("Enter");
    expect(await field.inputValue()).toBe("");

    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route("**/ui/names/filter", async (route) => {
      await held;
      await route.continue();
    });
    await field.fill("no such thing");
    await field.press("Enter");
    expect(await field.inputValue()).toBe("no such thing");
    answer();
    await page.getByText("No matches").waitFor();
    await field.fill("nightly-import/every-night");
    await page.getByRole("option", { name: "nightly-import/every-night", exact: true }).waitFor();
    await field.press("Tab");
    expect(await field.inputValue()).toBe("nightly-import/every-night");
    expect(complaints).toEqual([]);
  });

  test("writes an automation as JSON, and the forms follow", async () => {
    await using watched = await place.open("/automations/new?template=fails-often");
    const { page } = watched;
    const json = page.getByLabel("The whole automation in the API's format");
    const draft = JSON.parse(await json.inputValue()) as Record<string, unknown>;
    const child = { type: "event", posture: "Reactive", expect: ["a"], threshold: 1, within: 0 };
    const inner = { type: "sequence", within: 60, triggers: [child, { ...child, expect: ["b"] }] };
    const trigger = { type: "compound", require: "any", within: null, triggers: [inner, child] };
    await json.fill(JSON.stringify({ ...draft, name: "Nested", trigger }));
    await page.getByText("Any of these: (in this order within 1m:").waitFor();
    expect(await page.getByLabel("Kind of trigger").first().inputValue()).toBe("compound");
    await page.getByLabel("How many must fire").selectOption("all");
    expect(JSON.parse(await json.inputValue())).toMatchObject({ trigger: { require: "all" } });
    await button(page, "Create automation").click();
    await page.getByRole("heading", { name: "Nested" }).waitFor();
    await page.getByRole("switch").click();
    await page.getByRole("switch", { checked: false }).waitFor();
    await page.reload();
    await page.getByRole("switch", { checked: false }).waitFor();
  });

  test("stores a secret in a block, which is never shown again and can be replaced", async () => {
    await using watched = await place.open("/blocks/new");
    const { page, complaints } = watched;
    await page.getByRole("link", { name: "Slack Webhook" }).click();
    await page.getByLabel("Block name *").fill("ops-chat");
    await page.getByLabel("Webhook URL *").fill("https://hooks.example/first-secret");
    await button(page, "Create block").click();
    await page.getByText("Stored", { exact: true }).waitFor();
    const id = page.url().split("/").at(-1) ?? "";
    expect(await page.content()).not.toContain("first-secret");
    const secretOf = async () => {
      const read = await call(`/block_documents/${id}?include_secrets=true`);
      return (read as { readonly data: Record<string, unknown> }).data;
    };

    await page.getByLabel("Kind of message").selectOption({ label: "warning" });
    await button(page, "Save").click();
    await page.getByText("Saved").waitFor();
    expect(await secretOf()).toMatchObject({
      url: "https://hooks.example/first-secret",
      notify_type: "warning",
    });

    await page.getByRole("button", { name: "Replace Webhook URL *" }).click();
    await page.getByLabel("Webhook URL *").fill("https://hooks.example/second-secret");
    await button(page, "Save").click();
    await page.getByText("Stored", { exact: true }).waitFor();
    expect(await secretOf()).toMatchObject({ url: "https://hooks.example/second-secret" });
    expect(complaints).toEqual([]);
  });

  test("sees events as they come, holds them back and lets them in", async () => {
    await using watched = await place.open("/events?name=door.");
    const { page, complaints } = watched;
    await page.getByText("No matching events").waitFor();
    await emit("door.opened", "door.1");
    const list = page.getByRole("region", { name: "Events" });
    await list.getByRole("button", { name: /door\.opened/ }).waitFor();
    await button(page, "Pause").click();
    await emit("door.closed", "door.1");
    await page.getByText("Paused, 1 waiting").waitFor();
    expect(await list.getByRole("button").count()).toBe(1);
    await button(page, "Resume").click();
    await list.getByRole("button", { name: /door\.closed/ }).click();
    await page.getByRole("dialog").getByText('"from": "a test"').waitFor();
    await page.waitForURL(/event=/);
    expect(await barriersOf(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByLabel("Name begins with").fill("order.f");
    await page.waitForURL(/name=order\.f/);
    await page.getByText("15 of 15 events").waitFor();
    expect(complaints).toEqual([]);
  });

  test("makes a webhook whose address is shown once, and sees what is sent to it", async () => {
    await using watched = await place.open("/webhooks");
    const { page, complaints } = watched;
    await button(page, "New webhook").click();
    await page.getByLabel("Name", { exact: true }).fill("bell");
    await page.getByLabel("Event name").fill("bell.rung");
    await button(page, "Save").click();
    const address = await page
      .getByRole("dialog", { name: "URL of bell" })
      .locator("code")
      .first()
      .textContent();
    expect(address).toMatch(/\/api\/webhooks\/whk_/);
    await button(page, "I have copied it").click();
    expect(await page.content()).not.toContain("whk_");
    await call(new URL(address ?? "").pathname.replace("/api", ""), { by: "a visitor" });
    await page.getByRole("link", { name: "bell.rung" }).click();
    await page.getByRole("button", { name: /bell\.rung/ }).waitFor();
    expect(complaints).toEqual([]);
  });

  test("tries a template with a request that nobody sent", async () => {
    await call("/webhooks/", {
      name: "code-host",
      template: '{"event": "push", "resource": {"orchestrator.resource.id": "x"}, "payload": {}}',
    });
    await using watched = await place.open("/webhooks");
    const { page, complaints } = watched;
    await button(page, "Edit code-host").click();
    await page
      .getByLabel("Template")
      .fill(
        '{"event": "pushed.{{ body.who }}", "resource": {"orchestrator.resource.id": "x"}, "payload": {}}',
      );
    await page.getByText("Test the template").click();
    await page.getByLabel("Request body").fill('{"who": "ada"}');
    await button(page, "Preview event").click();
    await page.getByRole("dialog").getByText('"event": "pushed.ada"').waitFor();
    expect(await barriersOf(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test("changes the threshold of an SLA", async () => {
    await using watched = await place.open("/slas");
    const { page, complaints } = watched;
    await page.getByText("A run takes at most 10m").waitFor();
    await button(page, "Edit quick").click();
    await page.getByLabel(/^Threshold/).fill("1200");
    await button(page, "Save").click();
    await page.getByText("A run takes at most 20m").waitFor();
    expect(complaints).toEqual([]);
  });

  test("follows the links that messages hold and that other clients print", async () => {
    const { runs, pool, deployment } = place.server.filled;
    const [block] = (await call("/block_documents/filter", {})) as readonly {
      readonly id: string;
      readonly name: string;
    }[];
    for (const [path, title] of [
      [`/runs/flow-run/${runs[0]?.id}`, runs[0]?.name],
      [`/flow-runs/flow-run/${runs[0]?.id}`, runs[0]?.name],
      [`/work-pools/work-pool/${encodeURIComponent(pool.name)}`, pool.name],
      [`/work-pools/work-pool/${encodeURIComponent(pool.name)}/worker/${runs[0]?.id}`, pool.name],
      [`/blocks/block/${block?.id}`, block?.name],
      ["/blocks/catalog", "New block"],
      ["/blocks/catalog/secret/create", "New Secret"],
      [`/deployments/deployment/${deployment.id}`, deployment.name],
      [`/work-pools/work-pool/${pool.id}`, pool.name],
      [
        `/automations/automation/${place.server.filled.automations.automation}`,
        "Tell the shop when orders fail",
      ],
    ] as const) {
      await using watched = await place.open(path);
      await watched.page.getByRole("heading", { level: 1, name: title ?? "" }).waitFor();
    }
  });

  test("changes a header of a webhook block, and the other one stays as it is stored", async () => {
    const types = (await call("/block_types/filter", {
      block_types: { slug: { any_: ["webhook"] } },
    })) as readonly { readonly id: string }[];
    const made = (await call("/block_documents/", {
      name: "hook",
      block_type_id: types[0]?.id,
      data: { url: "https://hook.example/", headers: { "x-key": "first", "x-other": "second" } },
    })) as { readonly id: string };
    await using watched = await place.open(`/blocks/${made.id}`);
    const { page, complaints } = watched;
    await page.getByRole("button", { name: "Replace x-key of Headers" }).click();
    await page.getByLabel("Value of x-key").fill("third");
    await button(page, "Save").click();
    await page.getByText("Saved").waitFor();
    const read = await call(`/block_documents/${made.id}?include_secrets=true`);
    expect(read).toMatchObject({
      data: { url: "https://hook.example/", headers: { "x-key": "third", "x-other": "second" } },
    });
    expect(complaints).toEqual([]);
  });

  const PAGES: readonly (readonly [string, (made: FilledRecords["automations"]) => string])[] = [
    ["an automation", ({ automation }) => `/automations/${automation}`],
    ["why it fired", ({ automation }) => `/automations/${automation}?tab=trace`],
    ["its messages", ({ automation }) => `/automations/${automation}?tab=deliveries`],
    ["the form of one", ({ automation }) => `/automations/${automation}/edit`],
    ["a block", ({ block }) => `/blocks/${block}`],
    ["the form of a block", () => "/blocks/new?type=custom-webhook"],
    ["the versions of an artifact", () => "/artifacts/daily-report"],
  ];
  for (const [what, pathOf] of PAGES)
    test(`looks at ${what} without a barrier in either theme`, async () => {
      await using watched = await place.open(pathOf(place.server.filled.automations));
      const { page, complaints } = watched;
      expect(await barriersInBothThemes(page)).toEqual([]);
      expect(complaints).toEqual([]);
    });
});
