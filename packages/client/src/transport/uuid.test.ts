import { expect, test } from "vitest";
import { uuid } from "./uuid.ts";

test("a UUID is random, and says so in its version", () => {
  const made = Array.from({ length: 100 }, uuid);
  expect(new Set(made).size).toBe(100);
  for (const one of made)
    expect(one).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
