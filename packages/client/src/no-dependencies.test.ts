import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const folder = fileURLToPath(new URL(".", import.meta.url));
/** Node has no websocket of its own before version 22. */
const ALLOWED = "node/node-web-socket.ts needs ws";
const IMPORT = /^(?:import|export)(?<type> type)?\s[^;]*?from "(?<from>[^"]+)";/gm;

test("in Node the client needs the package ws, and elsewhere no package at all", () => {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".ts") && !name.endsWith(".test.ts"),
  );
  expect(files.length).toBeGreaterThan(30);
  const needed = files.flatMap((name) =>
    [...readFileSync(folder + name, "utf8").matchAll(IMPORT)]
      .filter(({ groups }) => groups?.["type"] === undefined)
      .map(({ groups }) => groups?.["from"] ?? "")
      .filter((from) => !from.startsWith(".") && !from.startsWith("node:"))
      .map((from) => `${name} needs ${from}`),
  );
  expect(needed).toEqual([ALLOWED]);
});
