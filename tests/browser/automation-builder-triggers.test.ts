// Every kind of trigger with everything that it can be given, built by hand in a real browser.
import { EventTrigger } from "@orchestrator/contract";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type BuilderServer,
  beginBlank,
  buttonIn,
  save,
  saveAutomation,
  saveUnchanged,
  startBuilderServer,
  withoutIds,
} from "./automation-builder.ts";
import { barriersOf } from "./barriers.ts";
import { hasBrowser } from "./open-page.ts";

const MINUTE_MS = 60_000;
const RESOURCE = "orchestrator.resource.id";
/** A trigger of one event as the form begins. */
const PLAIN = { type: "event", posture: "Reactive", threshold: 1, within: 0 };

const ago = (minutes: number): Date => new Date(Date.now() - minutes * MINUTE_MS);

/** The card in which a trigger is built; those within it are regions of their own. */
const whenCard = (page: Page): Locator =>
  page
    .getByRole("heading", { name: "When", exact: true })
    .locator("xpath=ancestor::*[contains(concat(' ', @class, ' '), ' card ')]");

const within = (place: Page | Locator, number: number): Locator =>
  place.getByRole("region", { name: `Trigger ${number}`, exact: true });

const enterNames = async (place: Locator, label: string, names: readonly string[]) => {
  const input = place.getByRole("combobox", { name: label, exact: true }).first();
  for (const name of names) {
    await input.fill(name);
    await input.press("Enter");
  }
};

/** Adds a label and its patterns to the lines of a group. */
const enterLabel = async (group: Locator, name: string, patterns: string) => {
  await buttonIn(group, "Add").click();
  await group.getByPlaceholder("Name").last().fill(name);
  await group.getByPlaceholder("Value").last().fill(patterns);
};

/** Chooses a kind for the trigger of the card, or for one within another. */
const chooseKind = (place: Locator, kind: RegExp) =>
  place
    .getByLabel("Kind of trigger")
    .first()
    .selectOption({ label: KINDS.find((word) => kind.test(word)) ?? "" });

const KINDS = [
  "Event, or absence of an event",
  "Compound: several triggers, any order",
  "Sequence: several triggers, in order",
];

const addNothing = async (page: Page) => {
  await buttonIn(page, "Add an action").first().click();
  await page
    .getByRole("combobox", { name: "Action 1", exact: true })
    .selectOption({ label: "Do nothing (record only)" });
};

const simulate = async (page: Page, outcome: string | RegExp) => {
  await buttonIn(page, "Simulate").click();
  await page.getByRole("status").getByText(outcome).waitFor();
};

const expectFired = async (page: Page) => {
  await page.getByRole("tab", { name: "Trace" }).click();
  await page.getByText("The trigger has fired").first().waitFor();
};

describe.skipIf(!hasBrowser)("a person who builds triggers", () => {
  let server: BuilderServer;
  beforeAll(async () => {
    server = await startBuilderServer();
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
  });

  test("waits for events with everything that narrows them", async () => {
    const parcel = { [RESOURCE]: "parcel.1", shop: "eu-west", size: "large" };
    for (const minutes of [9, 8, 7, 6]) await server.emit("parcel.lost", parcel, ago(minutes));
    await using watched = await server.open("/automations/new");
    const { page, complaints } = watched;
    await beginBlank(page, "All of an event");
    const card = whenCard(page);
    await enterNames(card, "Events", ["parcel.lost", "parcel.broken"]);
    await card.getByLabel("Threshold").fill("2");
    await card.getByLabel(/^Within, in seconds/).fill("600");
    await card.getByText("Resources, preceding events, grouping").click();
    const labels = card.getByRole("group", { name: "Labels of the resource" });
    await enterLabel(labels, "shop", "eu-*, us-*");
    await enterLabel(labels, "size", "!small");
    await enterLabel(
      card.getByRole("group", { name: "Labels of a related resource" }),
      "orchestrator.resource.role",
      "van",
    );
    await buttonIn(card, "Add a related resource").click();
    const second = card.getByRole("group", { name: "Labels of related resource 2" });
    await enterLabel(second, "plate", "B-*");
    await enterNames(card, "After", ["parcel.sent"]);
    await enterNames(card, "For each", [RESOURCE, "shop"]);
    await addNothing(page);
    await simulate(page, "It would not have fired");
    expect(await barriersOf(page)).toEqual([]);
    const stored = withoutIds((await saveAutomation(page, server)).trigger) as object;
    expect(stored).toEqual({
      type: "event",
      posture: "Reactive",
      expect: ["parcel.lost", "parcel.broken"],
      match: { shop: ["eu-*", "us-*"], size: "!small" },
      match_related: [{ "orchestrator.resource.role": "van" }, { plate: "B-*" }],
      after: ["parcel.sent"],
      for_each: [RESOURCE, "shop"],
      threshold: 2,
      within: 600,
    });
    // A field that the server takes and the form does not have would stay unknown to most.
    const { id: _, ...fields } = EventTrigger.properties;
    expect(Object.keys(stored).sort()).toEqual(Object.keys(fields).sort());
    await saveUnchanged(page, server);

    // Without what never came it would have fired, and now it does.
    await page.getByRole("link", { name: "Edit", exact: true }).click();
    await buttonIn(page, "Remove parcel.sent").click();
    await buttonIn(page, "Remove last").click();
    await buttonIn(page, "Remove orchestrator.resource.role").click();
    await simulate(page, "It would have fired once");
    await save(page);
    for (const event of ["parcel.lost", "parcel.broken"]) await server.emit(event, parcel);
    await expectFired(page);
    await page.getByText("shop=eu-west").first().waitFor();
    expect(complaints).toEqual([]);
  });

  test("waits for any event at once, with no window", async () => {
    await using watched = await server.open("/automations/new");
    const { page, complaints } = watched;
    await beginBlank(page, "Any event");
    await page.getByLabel("Enabled").uncheck();
    await addNothing(page);
    await simulate(page, /It would have fired \d+ times/);
    const { trigger, enabled } = await saveAutomation(page, server);
    expect(withoutIds(trigger)).toMatchObject({ ...PLAIN, expect: [] });
    expect(enabled).toBe(false);
    await saveUnchanged(page, server);
    expect(complaints).toEqual([]);
  });

  test("waits for what does not come", async () => {
    await server.emit("van.left", { [RESOURCE]: "van.1" }, ago(30));
    await using watched = await server.open("/automations/new");
    const { page, complaints } = watched;
    await beginBlank(page, "A van that does not arrive");
    const card = whenCard(page);
    await card.getByText("When it does not happen").click();
    await enterNames(card, "Events", ["van.arrived"]);
    await card.getByLabel(/^Within, in seconds/).fill("10");
    await card.getByText("Resources, preceding events, grouping").click();
    // Taking back what was typed closes nothing.
    const after = card.getByRole("combobox", { name: "After", exact: true });
    await after.press("x");
    await after.press("Backspace");
    expect(await after.isVisible()).toBe(true);
    await enterNames(card, "After", ["van.left"]);
    await enterNames(card, "For each", [RESOURCE]);
    await addNothing(page);
    await simulate(page, "It would have fired once");
    const stored = withoutIds((await saveAutomation(page, server)).trigger);
    expect(stored).toMatchObject({
      type: "event",
      posture: "Proactive",
      expect: ["van.arrived"],
      after: ["van.left"],
      for_each: [RESOURCE],
      threshold: 1,
      within: 10,
    });
    await saveUnchanged(page, server);
    await server.emit("van.left", { [RESOURCE]: "van.2" });
    await expectFired(page);
    await page.getByText(`${RESOURCE}=van.2`).first().waitFor();
    expect(complaints).toEqual([]);
  });

  const COMPOUNDS = [
    ["All", "all", 3],
    ["Any", "any", 1],
    ["At least 2", 2, 2],
  ] as const;
  for (const [word, require, needed] of COMPOUNDS)
    test(`waits for several in any order: ${word.toLowerCase()}`, async () => {
      const names = ["one", "two", "three"].map((name) => `compound.${require}.${name}`);
      const emit = async (minutes: number) => {
        for (const [i, name] of names.slice(0, needed).reverse().entries())
          await server.emit(name, { [RESOURCE]: "x" }, new Date(ago(minutes).getTime() + i * 1000));
      };
      await emit(20);
      await using watched = await server.open("/automations/new");
      const { page, complaints } = watched;
      await beginBlank(page, `Several: ${word}`);
      const card = whenCard(page);
      await chooseKind(card, /any order/);
      await buttonIn(card, "Add a trigger").click();
      for (const [i, name] of names.entries())
        await enterNames(within(page, i + 1), "Events", [name]);
      await card.getByLabel("How many must fire").selectOption({ label: word });
      await card
        .getByLabel(/^Within, in seconds/)
        .first()
        .fill("60");
      await addNothing(page);
      await simulate(page, "It would have fired once");
      expect(await barriersOf(page)).toEqual([]);
      expect(withoutIds((await saveAutomation(page, server)).trigger)).toMatchObject({
        type: "compound",
        require,
        within: 60,
        triggers: names.map((name) => ({ ...PLAIN, expect: [name] })),
      });
      await saveUnchanged(page, server);
      await emit(0);
      await expectFired(page);
      expect(complaints).toEqual([]);
    });

  test("waits for several one after another, as deep as triggers may stand in each other", async () => {
    await using watched = await server.open("/automations/new");
    const { page, complaints } = watched;
    await beginBlank(page, "One after another");
    const card = whenCard(page);
    await chooseKind(card, /in order/);
    await card
      .getByLabel(/^Within, in seconds/)
      .first()
      .fill("");
    await enterNames(within(page, 1).first(), "Events", ["step.1"]);
    const second = within(page, 2).first();
    await chooseKind(second, /any order/);
    await second.getByLabel("How many must fire").selectOption({ label: "Any" });
    await enterNames(within(second, 1).first(), "Events", ["step.2"]);
    const third = within(second, 2).first();
    await chooseKind(third, /in order/);
    await enterNames(within(third, 1), "Events", ["step.3"]);
    await enterNames(within(third, 2), "Events", ["step.4"]);
    // On the innermost level there is nothing but events.
    expect(await within(third, 1).getByLabel("Kind of trigger").count()).toBe(0);
    await addNothing(page);
    await simulate(page, "It would not have fired");
    const event = (name: string) => ({ ...PLAIN, expect: [name] });
    expect(withoutIds((await saveAutomation(page, server)).trigger)).toMatchObject({
      type: "sequence",
      within: null,
      triggers: [
        event("step.1"),
        {
          type: "compound",
          require: "any",
          within: 3600,
          triggers: [
            event("step.2"),
            { type: "sequence", within: 3600, triggers: [event("step.3"), event("step.4")] },
          ],
        },
      ],
    });
    await saveUnchanged(page, server);
    for (const name of ["step.1", "step.3", "step.4"])
      await server.emit(name, { [RESOURCE]: "steps" });
    await expectFired(page);
    expect(complaints).toEqual([]);
  });

  test("takes a trigger back, and no more have to fire than are left", async () => {
    await using watched = await server.open("/automations/new");
    const { page, complaints } = watched;
    await beginBlank(page, "Fewer");
    const card = whenCard(page);
    await chooseKind(card, /any order/);
    await card.getByLabel("How many must fire").selectOption({ label: "At least 2" });
    const eventsOf = (number: number) => within(page, number).getByLabel("Events").last();
    await eventsOf(1).fill("gone");
    await eventsOf(2).fill("stays");
    await buttonIn(card, "Remove trigger 1").click();
    // What was typed for the other is not shown as if it were this one's.
    expect(await eventsOf(1).inputValue()).toBe("");
    await buttonIn(card, "Remove stays").waitFor();
    await addNothing(page);
    expect((await saveAutomation(page, server)).trigger).toMatchObject({
      require: 1,
      triggers: [{ expect: ["stays"] }],
    });
    await saveUnchanged(page, server);
    expect(complaints).toEqual([]);
  });
});
