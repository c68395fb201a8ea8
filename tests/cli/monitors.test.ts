// Watching services from a terminal.
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTerminal, type Terminal } from "./terminal.ts";

let terminal: Terminal;
let well: string;
beforeAll(async () => {
  terminal = await openTerminal();
  well = `${terminal.server.url}/api/health`;
});
afterAll(() => terminal[Symbol.asyncDispose]());

/** Nobody listens there. */
const GONE = "http://127.0.0.1:9/";

test("a check shows what it found, and its exit code tells whether the service is down", async () => {
  const { type, text, json } = terminal;
  await text("monitor", "create", "Shop", well, "--interval", "1h", "--tag", "prod");
  await text("monitor", "create", "Gone", GONE, "--interval", "1h", "--parent", "Shop");
  expect(await text("monitor", "check", "Shop")).toContain("Shop: up  http: 200 OK");
  expect(await type(["monitor", "check", "Gone"])).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("Gone: down"),
  });
  expect((await type(["monitor", "check", "--tag", "prod", "--json"])).code).toBe(0);
  expect((await type(["monitor", "check"])).code).toBe(2);
  expect(await json("monitors", "ls", "--status", "down")).toMatchObject([{ name: "Gone" }]);
  expect(await text("monitor", "results", "Gone")).toContain("down");
  expect(await text("monitor", "stats", "Shop")).toMatch(/Uptime +100 %/);
});

test("an incident is found and acknowledged", async () => {
  const [incident] = await terminal.json<{ id: string }[]>("monitor", "incidents", "--open");
  expect(await terminal.text("monitor", "incidents", "Gone")).toMatch(/Gone +down .*still/);
  await terminal.text("monitor", "acknowledge", incident?.id ?? "", "--note", "known");
  expect(await terminal.json("monitor", "incidents", "Gone")).toMatchObject([{ note: "known" }]);
});

test("an address is tested without a monitor being left behind or anybody told", async () => {
  const { type, text, json } = terminal;
  expect(await text("monitor", "test", well)).toContain("up");
  expect((await type(["monitor", "test", "127.0.0.1:9", "--type", "tcp"])).code).toBe(1);
  expect(await json<unknown[]>("monitor", "ls")).toHaveLength(2);
  const told = await json<{ resource: unknown }[]>(
    "event",
    "ls",
    "--event",
    "orchestrator.monitor.Down",
  );
  expect(told).toHaveLength(1);
});

test("the types of checks are listed, and told whoever names one that there is not", async () => {
  const { type, text, json, file } = terminal;
  const kinds = await json<{ readonly type: string; readonly about: string }[]>("monitor", "types");
  expect(kinds.map((kind) => kind.type)).toEqual(
    expect.arrayContaining(["http", "tcp", "heartbeat"]),
  );
  const table = await text("monitor", "types");
  for (const kind of kinds) expect(table).toContain(kind.about);
  expect((await type(["monitor", "create", "--help"])).stdout).toContain("monitor types");
  const all = kinds.map((kind) => `'${kind.type}'`).join(", ");
  const path = await file(
    "pigeon.json",
    JSON.stringify({
      version: 1,
      monitors: [{ name: "Loft", url: well, pipeline: [{ type: "pigeon" }] }],
    }),
  );
  for (const [name, ...words] of [
    ["pigeon", "test", well, "--type", "pigeon"],
    ["pigeon", "test", well, "--check", '{"type": "pigeon"}'],
    ["pigeon", "apply", "-f", path],
    ["", "create", "Loft", well, "--type", ""],
  ])
    expect(await type(["monitor", ...words])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(new RegExp(`'${name}' .* expected tags: ${all}`)),
    });
});

test("a monitor is changed where it is said, and nowhere else", async () => {
  const { type, text, json } = terminal;
  await text("monitor", "create", "Tuned", well, "--interval", "1h");
  const more = ["--tag", "prod", "--tag", "eu", "--confirm-down", "3"];
  expect(await json("monitor", "update", "Tuned", "--interval", "30s", ...more)).toMatchObject({
    name: "Tuned",
    url: well,
    interval: 30,
    tags: ["prod", "eu"],
    confirm_down: 3,
  });
  expect(await json("monitor", "update", "Tuned", "--schedule", "0 * * * *")).toMatchObject({
    schedule: "0 * * * *",
  });
  expect(
    await json("monitor", "update", "Tuned", "--interval", "1h", "--clear-tags"),
  ).toMatchObject({
    schedule: null,
    tags: [],
    confirm_down: 3,
  });
  expect((await type(["monitor", "update", "Tuned"])).code).toBe(2);
  expect((await type(["monitor", "update", "Tund", "--name", "x"])).stderr).toContain("Tuned?");
  await text("monitor", "delete", "Tuned", "-y");
});

test("a monitor is paused, resumed and deleted by its name", async () => {
  const { text, json } = terminal;
  await text("monitor", "pause", "Gone");
  expect(await json("monitor", "ls", "--paused")).toMatchObject([{ name: "Gone" }]);
  await text("monitor", "resume", "Gone");
  expect(await terminal.type(["monitor", "delete", "Gone"])).toMatchObject({ code: 1 });
  await text("monitor", "delete", "Gone", "-y");
  expect(await terminal.type(["monitor", "inspect", "Shap"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("Did you mean Shop?"),
  });
});

test("whoever has no password is told where to put it", async () => {
  expect(await terminal.type(["monitor", "ls"], { UPTIME_PASSWORD: "" })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("Set UPTIME_PASSWORD"),
  });
});

const FILE = (interval: number) => `
version: 1
monitors:
  - name: Shop
    url: ${well}
    tags: [prod]
    interval: ${interval}
  - name: Office
    url: ${well}
    enabled: false
    parents: [Shop]
    pipeline:
      - type: instance
        username: watch
        password: \${env:OFFICE_PASSWORD}
`;
const OFFICE = { OFFICE_PASSWORD: "never-to-be-shown" };

test("a file is applied once, and applied again it changes nothing", async () => {
  const { type, file, json } = terminal;
  const path = await file("uptime.yaml", FILE(300));
  expect(await type(["monitor", "apply", "-f", path])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("OFFICE_PASSWORD"),
  });
  const foreseen = await type(["monitor", "apply", "-f", path, "--dry-run"], OFFICE);
  expect(foreseen.stdout).toBe(
    "~ Shop\n    interval: 3600 → 300\n+ Office\nWould be: 1 created, 1 changed. Nothing was done\n",
  );
  expect(await json("monitor", "ls")).toHaveLength(1);
  const applied = await type(["monitor", "apply", "-f", path], OFFICE);
  expect(applied.stdout).toMatch(/1 created, 1 changed\n$/);
  const again = await type(["monitor", "apply", "-f", path], OFFICE);
  expect(again).toMatchObject({
    code: 0,
    stdout: "Unchanged: 2 monitors are as the file says\n",
    stderr: "",
  });
  const other = await type(["monitor", "apply", "-f", path], {
    OFFICE_PASSWORD: "never-shown-either",
  });
  expect(other.stdout).toContain("instance/password: another secret");
  const printed = [foreseen, applied, again, other].flatMap(({ stdout, stderr }) => [
    stdout,
    stderr,
  ]);
  printed.push(await terminal.text("monitor", "inspect", "Office"));
  expect(printed.join("")).not.toMatch(/never-(to-be-)?shown/);
});

test("what is exported can be applied, and holds no secrets", async () => {
  const { text, type, file } = terminal;
  const path = await file("exported.yaml", "");
  await text("monitor", "export", "-f", path);
  const document = await readFile(path, "utf8");
  expect(document).toContain('password: "${stored}"');
  expect(await text("monitor", "apply", "-f", path)).toContain("Unchanged: 2 monitors");
  const json = JSON.parse((await type(["monitor", "export", "--json"])).stdout) as unknown;
  expect(json).toMatchObject({ version: 1, monitors: [{ name: "Shop" }, { name: "Office" }] });
});

test("maintenance windows and status pages are part of the file", async () => {
  const { text, type, file } = terminal;
  const document = {
    version: 1,
    maintenance: [{ name: "Backup", monitors: ["Shop"], schedule: "@daily", duration: 3600 }],
    status_pages: [
      { slug: "all", title: "All", groups: [{ name: "Web", monitors: [{ monitor: "Shop" }] }] },
    ],
  };
  const path = await file("around.json", JSON.stringify(document));
  expect(await text("monitor", "apply", "-f", path)).toBe(
    "+ maintenance window Backup\n+ status page all\n2 created\n",
  );
  expect(await text("monitor", "apply", "-f", path)).toBe(
    "Unchanged: 1 maintenance window, 1 status page are as the file says\n",
  );
  const none = await file("none.json", '{"version": 1, "maintenance": [], "status_pages": []}');
  const pruned = await type(["monitor", "apply", "-f", none, "--prune"]);
  expect(pruned.stderr).toContain("Delete 1 maintenance window, 1 status page with all history?");
  expect(await text("monitor", "apply", "-f", none, "--prune", "-y")).toContain("2 deleted");
  expect(await text("monitor", "ls")).toContain("Shop");
});

test("monitors that a file does not name are deleted only when that is asked for and confirmed", async () => {
  const { text, type, file, json } = terminal;
  const path = await file(
    "one.json",
    JSON.stringify({ version: 1, monitors: [{ name: "Shop", url: well }] }),
  );
  await text("monitor", "apply", "-f", path);
  expect(await json("monitor", "ls")).toHaveLength(2);
  expect(await type(["monitor", "apply", "-f", path, "--prune"])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/- Office[^]*say yes with -y/),
  });
  expect(await text("monitor", "apply", "-f", path, "--prune", "-y")).toContain(
    "- Office\n1 deleted",
  );
  expect(await json("monitor", "ls")).toMatchObject([{ name: "Shop" }]);
});

test("one command has somebody told when a monitor goes down", async () => {
  const { type, json } = terminal;
  const alert = [
    "monitor",
    "alert",
    "--tag",
    "prod",
    "--block-type",
    "slack-webhook",
    "--secret",
    "url=HOOK",
  ];
  const told = await type(alert, { HOOK: "http://127.0.0.1:9/never-to-be-shown" });
  expect(told).toMatchObject({ code: 0, stdout: expect.stringContaining("monitors tagged prod") });
  expect(told.stdout + told.stderr).not.toContain("never-to-be-shown");
  expect((await type(alert, { HOOK: "http://127.0.0.1:9/never-to-be-shown" })).code).toBe(0);
  expect(await json("automation", "ls")).toHaveLength(1);
  expect((await type(["monitor", "alert"])).stderr).toContain("block type ls");
});

test("a maintenance begins at once, ends early and recurs", async () => {
  const { type, text, json } = terminal;
  expect((await type(["maintenance", "create", "Upgrade", "--for", "1h"])).code).toBe(2);
  expect(await text("maintenance", "create", "Upgrade", "--all", "--for", "1h")).toContain(
    "takes place now",
  );
  expect(await json("maintenance", "ls", "--active")).toMatchObject([{ name: "Upgrade" }]);
  await text("maintenance", "finish", "Upgrade");
  expect(await json("maintenance", "ls", "--active")).toEqual([]);
  await text(
    "maintenance",
    "create",
    "Nightly",
    "--tag",
    "prod",
    "--cron",
    "30 2 * * *",
    "--for",
    "45m",
  );
  expect(await json("maintenance", "inspect", "Nightly")).toMatchObject({ duration: 2700 });
  await text("maintenance", "delete", "Nightly", "-y");
});

test("a status page is made, shown to everybody and hidden again", async () => {
  const { text } = terminal;
  const made = await text("status-page", "create", "shop", "Shop status", "--monitor", "Shop");
  const address = /http\S+\/shop/.exec(made)?.[0] ?? "";
  expect((await fetch(address)).status).toBe(404);
  await text("status-page", "publish", "shop");
  expect((await fetch(address)).status).toBe(200);
  await text("status-pages", "unpublish", "shop");
  expect((await fetch(address)).status).toBe(404);
  await text("status-page", "delete", "shop", "-y");
});
