import { expect, test } from "vitest";
import { clean, escapeJson } from "./clean.ts";

const pipe = { isTTY: false } as NodeJS.WriteStream;
const terminal = { isTTY: true } as NodeJS.WriteStream;

test("text stays as it is, with its lines and tabs", () => {
  for (const text of ["", "plain", "a\tb\nc", "naïve – 日本語 🎉", "C:\\[0m"])
    expect(clean(text, terminal)).toBe(text);
});

test.each([
  ["the cursor and what stands above", "a\u001b[2J\u001b[1;1Hb\u001b[3Ac", "abc"],
  ["the title", "a\u001b]0;root@prod\u0007b", "ab"],
  ["the clipboard", "a\u001b]52;c;cm0gLXJmIC8=\u001b\\b", "ab"],
  ["links", "\u001b]8;;https://evil.example\u0007click\u001b]8;;\u0007", "click"],
  ["a string that never ends", "a\u001bPq...\nb", "a\nb"],
  ["the same in one byte", "a\u009b2Jb\u009d0;t\u009cc", "abc"],
  ["resets and character sets", "a\u001bcb\u001b(0c\u001b", "abc"],
  ["bells, backspaces and what rewrites the line", "ok\u0007\b\b\rno\r\nend", "ok no\nend"],
])("%s cannot be reached from a text", (_, text, left) => {
  expect(clean(text, pipe)).toBe(left);
  expect(clean(text, terminal)).toBe(left);
});

test("colours are for terminals, and end with the text", () => {
  const text = "\u001b[31mred\u001b[1;38;5;200m more";
  expect(clean(text, pipe)).toBe("red more");
  expect(clean(text, terminal)).toBe(`${text}\u001b[0m`);
});

test("JSON keeps every character, and none of them reaches a terminal", () => {
  const value = Array.from({ length: 0x120 }, (_, code) => String.fromCharCode(code));
  const text = escapeJson(JSON.stringify(value));
  expect(JSON.parse(text)).toEqual(value);
  expect(clean(text, terminal)).toBe(text);
  expect(escapeJson('{"a":"plain – 日本語"}')).toBe('{"a":"plain – 日本語"}');
});
