// What holds for every dialog: nothing that was typed is lost, and what is done with it stays in
// sight.
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { buttonIn } from "./automation-builder.ts";
import { makeAt } from "./fill.ts";
import { hasBrowser } from "./open-page.ts";
import { sharedFilled } from "./shared-place.ts";

const GONE = { state: "detached" } as const;

const REFUSAL = "dialog .notice--error";

/** Whether the middle of it can be seen, and nothing is in front of that. */
const isInSight = (page: Page, selector: string): Promise<boolean> =>
  page.evaluate<boolean>(`(() => {
    const { x, y, width, height } = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect();
    const seen = document.elementFromPoint(x + width / 2, y + height / 2);
    return seen !== null && seen.closest(${JSON.stringify(selector)}) !== null;
  })()`);

describe.skipIf(!hasBrowser)("a dialog", () => {
  const place = sharedFilled();

  test("stays when a text is marked to beyond its edge, and closes by a press outside", async () => {
    await using watched = await place.open("/variables");
    const { page, complaints } = watched;
    await buttonIn(page, "New variable").click();
    const name = page.getByLabel("Name", { exact: true });
    await name.fill("typed");
    const box = await name.boundingBox();
    if (box === null) throw new Error("The field cannot be seen");
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(20, box.y + box.height / 2, { steps: 4 });
    await page.mouse.up();
    await expect.poll(() => name.inputValue()).toBe("typed");
    await page.mouse.click(20, box.y);
    await page.locator("dialog").waitFor({ state: "detached" });
    expect(complaints).toEqual([]);
  });

  test("of a long form begins in its first field, with its buttons and a refusal in sight", async () => {
    const { flow } = place.server.filled;
    const names = Array.from({ length: 30 }, (_, i) => `part_${i}`);
    const { id } = await makeAt(place.server.url)("/deployments/", {
      name: "long",
      flow_id: flow.id,
      enforce_parameter_schema: true,
      parameter_openapi_schema: {
        type: "object",
        properties: Object.fromEntries(
          names.map((name) => [name, { type: "integer", maximum: 10 }]),
        ),
      },
    });
    await using watched = await place.open(`/deployments/${id}`);
    const { page } = watched;
    await buttonIn(page, "Run").click();
    const dialog = page.getByRole("dialog", { name: "Run long" });
    await dialog.waitFor();
    expect(await page.evaluate("document.activeElement.tagName")).toBe("INPUT");
    await page.keyboard.type("99");
    const run = dialog.getByRole("button", { name: "Run", exact: true });
    expect(await isInSight(page, "dialog button[type=submit]")).toBe(true);
    await run.click();
    await dialog.getByText("must be at most 10").waitFor();
    expect(await isInSight(page, REFUSAL)).toBe(true);
  });

  test("has a refusal in sight where the window is low", async () => {
    const { url, filled } = place.server;
    const make = makeAt(url);
    const resource = { "orchestrator.resource.id": "shop.1" };
    await make("/webhooks/", { name: "taken", event: "order.paid", resource });
    await make("/webhooks/", { name: "ours", template: "{{ body | tojson }}" });
    const low = { viewport: { width: 1280, height: 420 } };
    await using watched = await place.open("/webhooks", low);
    const { page } = watched;
    await buttonIn(page, "Edit ours").click();
    await page.getByText("Test the template").click();
    const name = page.getByLabel("Name", { exact: true });
    await name.fill("taken");
    await name.press("Enter");
    await page.locator(REFUSAL).waitFor();
    expect(await isInSight(page, REFUSAL)).toBe(true);

    await page.goto(`${url}/deployments/${filled.deployment.id}`);
    await buttonIn(page, "Backfill").click();
    const from = page.getByLabel("From");
    await from.fill("2026-01-02T00:00");
    await page.getByLabel("Until").fill("2026-01-01T00:00");
    await from.press("Enter");
    await page.locator(REFUSAL).waitFor();
    expect(await isInSight(page, REFUSAL)).toBe(true);
  });

  test("tries a template once however long Enter is held, and not while a word is put together", async () => {
    const template = '{"event": "{{ body }}", "resource": {"orchestrator.resource.id": "x"}}';
    await makeAt(place.server.url)("/webhooks/", { name: "held", template });
    await using watched = await place.open("/webhooks");
    const { page, complaints } = watched;
    await buttonIn(page, "Edit held").click();
    await page.getByText("Test the template").click();
    let asked = 0;
    let goOn = (): void => {};
    const answer = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    await page.route(/\/preview$/, async (route) => {
      asked += 1;
      await answer;
      await route.continue();
    });
    const header = page.getByLabel("Value 1 of Headers");
    await header.dispatchEvent("keydown", { key: "Enter", isComposing: true });
    expect(await buttonIn(page, "Preview event").isEnabled()).toBe(true);
    await header.focus();
    for (const _ of [1, 2, 3]) await page.keyboard.down("Enter");
    await page.keyboard.up("Enter");
    await page.keyboard.press("Enter");
    goOn();
    await page.getByRole("dialog").getByText('"x"').waitFor();
    expect(asked).toBe(1);
    expect(complaints).toEqual([]);
  });

  test("is saved by Enter, and once by a double click", async () => {
    const { url, filled } = place.server;
    await using watched = await place.open("/webhooks");
    const { page, complaints } = watched;
    const gone = () => page.getByRole("dialog", { name: /^New|^Backfill/ }).waitFor(GONE);
    await buttonIn(page, "New webhook").click();
    await page.getByLabel("Name", { exact: true }).fill("by-enter");
    await page.getByLabel("Event name").fill("order.paid");
    await page.keyboard.press("Enter");
    await gone();
    await page.reload();

    await buttonIn(page, "New webhook").click();
    await page.getByLabel("Name", { exact: true }).fill("by-hand");
    await page.getByLabel("Event name").fill("order.paid");
    await page.getByRole("button", { name: "Save", exact: true }).dblclick();
    await gone();
    const listed = await makeAt(url)("/webhooks/filter", {});
    const made = listed as unknown as readonly { readonly name: string }[];
    const names = made.map(({ name }) => name).filter((name) => name.startsWith("by-"));
    expect(names.toSorted()).toEqual(["by-enter", "by-hand"]);

    await page.goto(`${url}/deployments/${filled.deployment.id}`);
    await buttonIn(page, "Backfill").click();
    await page.getByLabel("From").fill("2026-01-01T00:00");
    await page.getByLabel("Until").fill("2026-01-01T12:00");
    await page.getByLabel("Concurrency limit").press("Enter");
    await gone();
    await page.getByText("Backfill started").waitFor();
    expect(complaints).toEqual([]);
  });
});
