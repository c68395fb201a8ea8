// Types of blocks that people describe in files.
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTerminal, type Terminal } from "./terminal.ts";

let terminal: Terminal;
beforeAll(async () => {
  terminal = await openTerminal();
});
afterAll(() => terminal[Symbol.asyncDispose]());

const WAREHOUSE = `
name: Ware House
slug: warehouse
description: Where the numbers are, < 1 day old
schema:
  properties:
    host: { type: string }
    password: { type: string }
    token: { type: string, format: password }
  required: [host, password]
secrets: [password]
`;

const register = (path: string) =>
  terminal.json<{ slug: string; type: string; schema: string }[]>("block", "register", "-f", path);

test("a type is registered from a file, its blocks are made and their secrets kept", async () => {
  const path = await terminal.file("warehouse.yaml", WAREHOUSE);
  expect(await register(path)).toMatchObject([
    { slug: "warehouse", type: "created", schema: "created" },
  ]);
  const shown = await terminal.text("block", "type", "inspect", "warehouse");
  expect(shown).toMatch(/password +string +yes +yes/);
  expect(shown).toMatch(/token +string +yes/);
  const made = await terminal.type(
    ["block", "create", "warehouse", "main", "--field", "host=db", "--secret", "password=PASSWORD"],
    { PASSWORD: "hunter2" },
  );
  expect(made.code).toBe(0);
  expect(await terminal.json("block", "inspect", "warehouse/main")).toMatchObject({
    data: { host: "db", password: "********" },
  });
});

test("registered again nothing changes; what is new becomes the newest schema", async () => {
  const path = await terminal.file("warehouse.yaml", WAREHOUSE);
  expect(await register(path)).toMatchObject([{ type: "unchanged", schema: "unchanged" }]);
  const more = WAREHOUSE.replace("host:", "port: { type: integer }\n    host:");
  const changed = await terminal.file("more.yaml", more.replace("numbers", "figures"));
  expect(await register(changed)).toMatchObject([{ type: "updated", schema: "created" }]);
  expect(await terminal.text("block", "type", "inspect", "warehouse")).toMatch(/port +integer/);
});

test("a module registers all that it exports, with schemas of zod and in TypeScript", async () => {
  const zod = fileURLToPath(import.meta.resolve("zod"));
  const path = await terminal.file(
    "blocks.ts",
    `import { z } from ${JSON.stringify(zod)};
console.log("this is no JSON");
interface Note { readonly text: string }
export const note: Note = { text: "no type of blocks" };
export const ftp = { name: "Ftp Server", schema: z.object({ host: z.string(), port: z.number().default(21) }) };
export default [{ name: "Other", schema: { properties: { key: { type: "string" } } }, secrets: ["key"] }];
`,
  );
  const rows = await register(path);
  expect(new Set(rows.map(({ slug, type }) => `${slug} ${type}`))).toEqual(
    new Set(["ftp-server created", "other created"]),
  );
  expect(await terminal.text("block", "type", "inspect", "ftp-server")).toMatch(/port +number/);
});

test("a file that describes no type is refused with what is wrong, and nothing is registered", async () => {
  const before = await terminal.client.blockTypes.list();
  for (const [text, reason] of [
    ["schema: {}", "needs a name"],
    ["name: A\nsecret: [x]", "secret is not known"],
    ["name: A\nsecrets: [x]", "the secret x is none of the properties"],
    ["name: Secret\nslug: secret", "came with the server"],
    ["- name: A\n- name: a", "describes the type a twice"],
  ] as const) {
    const path = await terminal.file("wrong.yaml", text);
    expect(await terminal.type(["block", "register", "-f", path])).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining(reason),
    });
  }
  expect(await terminal.client.blockTypes.list()).toHaveLength(before.length);
});
