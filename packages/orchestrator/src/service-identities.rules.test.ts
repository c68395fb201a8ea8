import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { SERVICE_IDENTITIES } from "./service-identities.rules.ts";

test("who acts by itself is told in the documentation, with what it may do", () => {
  const text = readFileSync(new URL("../../../docs/reference/roles.md", import.meta.url), "utf8");
  for (const [name, { role, does }] of Object.entries(SERVICE_IDENTITIES))
    expect(text).toContain(`| \`${name}\` | ${does} | \`${role}\` |`);
});
