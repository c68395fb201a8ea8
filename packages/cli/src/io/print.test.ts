import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { printJson, printJsonLine } from "./print.ts";

let written = "";
beforeEach(() => {
  written = "";
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    written += String(text);
    return true;
  });
});
afterEach(() => void vi.restoreAllMocks());

test.each([
  ["of a command", printJson],
  ["of a stream", printJsonLine],
])("JSON %s holds what a text would do to a terminal as well, written out", (_, print) => {
  const value = { message: "a\u009d0;title\u007f\u001b[2J", size: 12345678901234567890n };
  print(value);
  expect(JSON.parse(written)).toEqual({ ...value, size: Number(value.size) });
  expect(written).toContain("\\u009d0;title\\u007f\\u001b[2J");
  expect(written).toContain("12345678901234567890");
});
