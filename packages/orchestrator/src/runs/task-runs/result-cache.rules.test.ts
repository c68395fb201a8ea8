import { expect, test } from "vitest";
import { replacing } from "./result-cache.rules.ts";

const result = (id: string, cache_key: string, expiration: string | null = null) => ({
  id,
  workspace_id: "w",
  cache_key,
  expiration,
});

test.each([
  [[], []],
  [[result("1", "a")], ["1"]],
  [
    [result("1", "a"), result("2", "a"), result("3", "b")],
    ["2", "3"],
  ],
  [
    [result("1", "a"), result("2", "a", "t"), result("3", "a", "t")],
    ["3", "1"],
  ],
  [
    [{ ...result("1", "a"), workspace_id: "v" }, result("2", "a")],
    ["1", "2"],
  ],
])("of %j these can have replaced others: %j", (results, expected) => {
  expect(replacing(results).toSorted()).toEqual(expected.toSorted());
});
