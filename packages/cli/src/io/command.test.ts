import { expect, test } from "vitest";
import { reflowed } from "./command.ts";

test("paragraphs of help are broken where the terminal ends, and what is laid out stays so", () => {
  const text = `Usage: orchestrator x

Options:
  --all  every one of them, whatever it is

All of this is said in one sentence that is very much too long for it,
and goes on here.

Examples:
  $ orchestrator x --all --the-rest-of-it
`;
  expect(reflowed(text, 44)).toBe(`Usage: orchestrator x

Options:
  --all  every one of them, whatever it is

All of this is said in one sentence that is
very much too long for it, and goes on here.

Examples:
  $ orchestrator x --all --the-rest-of-it
`);
});
