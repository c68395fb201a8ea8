import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const folder = fileURLToPath(new URL(".", import.meta.url));
const IMPORT = /^(?:import|export)(?<type> type)?\s[^;]*?from "(?<from>[^"]+)";/gm;

test("nothing is left of what is imported from other packages when types are taken away", () => {
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
  expect(needed).toEqual([]);
});
