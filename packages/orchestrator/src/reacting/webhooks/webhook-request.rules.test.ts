import { expect, test } from "vitest";
import { formFieldsOf } from "./webhook-request.rules.ts";

test("a field that is given several times has all its values, in their order", () => {
  const fields = formFieldsOf(new URLSearchParams("a=1&b=2&a=3&a=1&c"));
  expect(fields).toEqual({ a: ["1", "3", "1"], b: "2", c: "" });
});

test("a form that repeats one name as often as a body can is read at once", {
  timeout: 20_000,
}, () => {
  const fields = formFieldsOf(new URLSearchParams("a&".repeat(500_000)));
  expect(fields["a"]).toHaveLength(500_000);
});
