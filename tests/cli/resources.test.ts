// Blocks, artifacts, automations, limits, webhooks and SLAs from a terminal.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTerminal, type Terminal } from "./terminal.ts";

let terminal: Terminal;
beforeAll(async () => {
  terminal = await openTerminal();
});
afterAll(() => terminal[Symbol.asyncDispose]());

const SECRET = "http://127.0.0.1:9/services/never-to-be-shown";

test("a block is made with a secret of the environment, which is never shown", async () => {
  const { type, text, json } = terminal;
  const made = await type(
    ["block", "create", "slack-webhook", "ops", "--secret", "url=SLACK_URL"],
    {
      SLACK_URL: SECRET,
    },
  );
  expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Created the block/) });
  const shown = [
    made.stdout,
    made.stderr,
    await text("block", "inspect", "slack-webhook/ops"),
    JSON.stringify(await json("block", "inspect", "slack-webhook/ops")),
    await text("block", "ls"),
  ].join("\n");
  expect(shown).toContain("********");
  expect(shown).not.toContain("never-to-be-shown");
  const [block] = await terminal.client.blockDocuments.list({ include_secrets: true });
  expect(block?.data).toMatchObject({ url: SECRET });
});

test("a secret that is missing is asked for, and refused where nobody can be asked", async () => {
  const { type } = terminal;
  expect(await type(["block", "create", "slack-webhook", "other"])).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringContaining("--secret url=VARIABLE"),
  });
  const file = await terminal.file("slack.yaml", "url: ${env:SLACK_URL}\n");
  expect(await type(["block", "create", "slack-webhook", "filed", "-f", file])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("SLACK_URL"),
  });
  const made = await type(["block", "create", "slack-webhook", "filed", "-f", file, "--json"], {
    SLACK_URL: SECRET,
  });
  expect(JSON.parse(made.stdout)).toMatchObject({ name: "filed", data: { url: "********" } });
});

test("a field that blocks of a type do not have, or lack, is told before anything is stored", async () => {
  const { type, client } = terminal;
  const before = await client.blockDocuments.count();
  expect(
    await type(["block", "create", "slack-webhook", "typo", "--field", "ulr=x"]),
  ).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("Did you mean url?"),
  });
  expect(await type(["block", "create", "smtp-email", "mail", "--field", "port=25"])).toMatchObject(
    {
      code: 1,
      stderr: expect.stringContaining("--field smtp_host=VALUE"),
    },
  );
  expect(await client.blockDocuments.count()).toBe(before);
});

test("a name that is nearly right is answered with the right one", async () => {
  const answer = await terminal.type(["block", "inspect", "slack-webhook/opz"]);
  expect(answer).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("Did you mean slack-webhook/ops?"),
  });
  const types = await terminal.text("block", "type", "inspect", "slack-webhook");
  expect(types).toMatch(/url +string +yes +yes/);
});

test("a block is deleted only when somebody says yes", async () => {
  const refused = await terminal.type(["block", "delete", "slack-webhook/filed"]);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("say yes with -y") });
  expect(await terminal.text("block", "delete", "slack-webhook/filed", "-y")).toContain("Deleted");
  expect((await terminal.type(["block", "inspect", "slack-webhook/filed"])).code).toBe(1);
});

test("artifacts are listed by key, shown and deleted with all their versions", async () => {
  const { client, text, json } = terminal;
  for (const data of ["# Monday", "# Tuesday"]) {
    await client.artifacts.create({ key: "report", type: "markdown", data });
  }
  const description = "All that was sold. ".repeat(50).trim();
  await client.artifacts.create({ key: "long", type: "markdown", data: "", description });
  const row = (await text("artifact", "ls")).split("\n").find((line) => line.startsWith("long"));
  expect(row).toMatch(/^long +markdown +All that was sold\. .{40}… +(now|\w+ ago) +\S+$/);
  expect(await text("artifact", "inspect", "long")).toContain(description);
  expect(await text("artifact", "delete", "long", "-y")).toContain("only version");
  expect(await json("artifact", "ls")).toMatchObject([{ key: "report", data: "# Tuesday" }]);
  expect(await json("artifacts", "ls", "--key", "report")).toHaveLength(2);
  expect(await text("artifact", "inspect", "report")).toContain("# Tuesday");
  expect(await text("artifact", "delete", "report", "-y")).toContain("all 2 versions");
  expect(await json("artifact", "ls", "--all")).toEqual([]);
});

test("an automation is made from a file, tried out, changed, paused and deleted", async () => {
  const { text, json, file } = terminal;
  const source = (event: string) => `
name: tell ops
trigger: { type: event, posture: Reactive, expect: [${event}] }
actions: [{ type: do-nothing }]
`;
  const path = await file("automation.yaml", source("shop.order.failed"));
  expect(await text("automation", "create", "-f", path)).toContain(
    "Created the automation tell ops",
  );
  await text("event", "emit", "shop.order.failed", "-r", "shop.1");
  expect(await text("automation", "simulate", "tell ops")).toContain("would have fired once");
  await file("automation.yaml", source("shop.order.lost"));
  expect(await text("automation", "simulate", "-f", path)).toContain("would have fired 0 times");
  const lost = { event: "shop.order.lost", resource: { "orchestrator.resource.id": "shop.1" } };
  const times = Array.from({ length: 21 }, (_, i) => new Date(Date.UTC(2026, 0, 1, i)));
  const events = await file(
    "lost.json",
    JSON.stringify(times.map((occurred) => ({ ...lost, id: randomUUID(), occurred }))),
  );
  const many = ["automation", "simulate", "-f", path, "--events", events];
  const told = "No more than 20 are shown: --limit takes another number\n";
  expect(await terminal.type(many)).toMatchObject({ code: 0, stderr: told });
  expect(await terminal.type([...many, "--json"])).toMatchObject({ code: 0, stderr: told });
  await text("automation", "update", "tell ops", "-f", path);
  await text("automation", "pause", "tell ops");
  expect(await json("automation", "inspect", "tell ops")).toMatchObject({
    enabled: false,
    trigger: { expect: ["shop.order.lost"] },
  });
  expect(await text("automation", "resume", "tell ops")).toContain("active");
  await text("automation", "delete", "tell ops", "-y");
  expect(await json("automation", "ls")).toEqual([]);
});

test("a file that is no automation is refused with what is wrong", async () => {
  const path = await terminal.file("broken.yaml", "name: [half\n");
  expect(await terminal.type(["automation", "create", "-f", path])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("cannot be read as YAML or JSON"),
  });
  const empty = await terminal.file("empty.yaml", "name: nothing else\n");
  expect(await terminal.type(["automation", "create", "-f", empty])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("trigger"),
  });
});

test("a global limit is made, changed, switched off and shows who holds it", async () => {
  const { client, text, json } = terminal;
  await text("global-concurrency-limit", "create", "database", "--limit", "5");
  const lease = await client.concurrencyLimits.lease({ names: ["database"], slots: 2 });
  expect(await json("gcl", "holders", "database")).toMatchObject([
    { lease_id: lease.lease_id, slots: 2 },
  ]);
  await text("gcl", "update", "database", "--limit", "7");
  await text("gcl", "disable", "database");
  expect(await json("gcl", "inspect", "database")).toMatchObject({
    limit: 7,
    active: false,
    active_slots: 2,
  });
  expect(await text("gcl", "enable", "database")).toContain("enabled");
  expect((await terminal.type(["gcl", "create", "database", "--limit", "many"])).code).toBe(2);
  await text("gcl", "delete", "database", "-y");
  expect(await json("gcl", "ls")).toEqual([]);
});

test("the limit of a tag is set, reset and taken away", async () => {
  const { client, text, json } = terminal;
  await text("concurrency-limit", "create", "gpu", "2");
  const holder = { names: ["gpu"], task_run_id: "0b0e7ee2-8a3c-4fd3-9f0e-3f0a7d3a1c55" };
  await client.tagLimits.increment(holder);
  expect(await text("concurrency-limit", "reset", "gpu", "-y")).toContain("Freed 1 slots of gpu");
  expect(await json("concurrency-limit", "inspect", "gpu")).toMatchObject({
    concurrency_limit: 2,
    active_slots: [],
  });
  await text("concurrency-limit", "delete", "gpu", "-y");
  expect(await json("concurrency-limits", "ls")).toEqual([]);
});

test("the address of a webhook is shown when it is made and when it is renewed, and not again", async () => {
  const { text } = terminal;
  const made = await text(
    "webhook",
    "create",
    "door",
    "--event",
    "door.opened",
    "--resource",
    "door.1",
  );
  const first = /http\S+/.exec(made)?.[0] ?? "";
  expect((await fetch(first, { method: "POST" })).status).toBeLessThan(300);
  expect(await text("webhook", "inspect", "door")).not.toContain("whk_");
  const second = /http\S+/.exec(await text("webhook", "rotate", "door", "-y"))?.[0] ?? "";
  expect((await fetch(first, { method: "POST" })).status).toBe(404);
  expect((await fetch(second, { method: "POST" })).status).toBeLessThan(300);
  await text("webhook", "delete", "door", "-y");
});

test("a promise is made of a deployment, paused and taken back", async () => {
  const { client, type, text, json } = terminal;
  const flow = await client.flows.create({ name: "report" });
  await client.deployments.create({ name: "daily", flow_id: flow.id });
  expect((await type(["sla", "create", "report/daily", "quick"])).code).toBe(2);
  await text("sla", "create", "report/daily", "quick", "--duration", "10m", "--severity", "high");
  expect(await text("sla", "ls")).toMatch(/quick +report\/daily +duration 10m +high +kept/);
  await text("sla", "pause", "quick");
  expect(await json("sla", "inspect", "quick")).toMatchObject({ enabled: false, seconds: 600 });
  await text("sla", "delete", "quick", "-y");
  expect(await json("sla", "ls", "--deployment", "report/daily")).toEqual([]);
});

test("whoever is shown a part of a list is told so, unless they asked for that", async () => {
  const { client, type } = terminal;
  for (let i = 0; i < 201; i += 1) await client.variables.create({ name: `many_${i}`, value: i });
  const told = expect.stringContaining("No more than 200 are shown");
  const usual = await type(["variable", "ls"]);
  expect(usual).toMatchObject({ code: 0, stderr: told });
  expect(usual.stdout.trim().split("\n")).toHaveLength(201);
  const asJson = await type(["variable", "ls", "--json"]);
  expect(asJson).toMatchObject({ code: 0, stderr: told });
  expect(JSON.parse(asJson.stdout)).toHaveLength(200);
  expect(await type(["variable", "ls", "--limit", "200"])).toMatchObject({ code: 0, stderr: "" });
  const all = await type(["variable", "ls", "--limit", "300", "--json"]);
  expect(all.stderr).toBe("");
  expect(JSON.parse(all.stdout).length).toBeGreaterThan(200);
});
