// Events in a terminal, as they happen.
import { expect, test } from "vitest";
import { retryUntil } from "../support/until.ts";
import { openTerminal } from "./terminal.ts";

test("a stream shows what happens while it is open, one object a line, and ends when it has enough", async () => {
  await using terminal = await openTerminal();
  await terminal.text("event", "emit", "shop.order.before", "-r", "shop.1");
  await using stream = terminal.begin(
    "event",
    "stream",
    "--json",
    "--event",
    "shop.*",
    "--limit",
    "2",
  );
  // It is open at the latest when the first of these comes through it.
  await retryUntil(async () => {
    await terminal.client.events.create([
      { event: "shop.order.paid", resource: { "orchestrator.resource.id": "shop.1" } },
    ]);
    expect(stream.stdout()).not.toBe("");
  });
  await terminal.client.variables.create({ name: "another-event", value: 1 });
  await terminal.text(
    "event",
    "emit",
    "shop.order.paid",
    "-r",
    "shop.2",
    "--payload",
    '{"amount": 12}',
  );
  expect((await stream.exited).code).toBe(0);
  const lines = stream.stdout().trimEnd().split("\n");
  expect(lines.map((line) => (JSON.parse(line) as { event: string }).event)).toEqual([
    "shop.order.paid",
    "shop.order.paid",
  ]);
  expect(stream.stderr()).toBe("");
});

test("a stream goes back in time when it is asked to, and ends quietly with Ctrl-C", async () => {
  await using terminal = await openTerminal();
  await terminal.text("event", "emit", "shop.opened", "-r", "shop.1", "--resource-name", "Shop 1");
  await using stream = terminal.begin("event", "stream", "--since", "10m", "--resource", "shop.1");
  await retryUntil(() => expect(stream.stdout()).toContain("shop.opened  Shop 1 (shop.1)"));
  stream.kill("SIGINT");
  expect((await stream.exited).code).toBe(130);
  const past = await terminal.json<{ event: string }[]>("event", "ls", "--event", "shop.*");
  expect(past.map(({ event }) => event)).toEqual(["shop.opened"]);
});
