import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { OPTION_NAMES } from "./check-options.ts";

test("the reference of the SDK names every option of flows and tasks", () => {
  const page = new URL("../../../../docs/reference/sdk.md", import.meta.url);
  const text = readFileSync(page, "utf8");
  expect(OPTION_NAMES).not.toHaveLength(0);
  expect(OPTION_NAMES.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
});
