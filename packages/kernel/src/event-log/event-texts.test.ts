import { expect, test } from "vitest";
import { BloomBits, bloomBitsOf } from "../text-blocks/bloom-bits.ts";
import { EVENT_TEXTS, jsonMembersOf } from "./event-texts.ts";

const eventOf = (body: unknown): string =>
  `things.happened\u0002${typeof body === "string" ? body : JSON.stringify(body)}`;

function isMarked(event: string, term: string): boolean {
  const marks = new BloomBits();
  EVENT_TEXTS.mark(marks, event);
  return bloomBitsOf(term).every((bit) => marks.has(bit));
}

const EVENT = eventOf({
  id: "unsearched",
  resource: { "prefect.resource.id": "a.thing", said: 'so "quoted" and \\ slashed' },
  related: [{ "prefect.resource.role": "flowing", of: "nightly, {braced}: and [more]" }],
  payload: { amount: 12, text: 'with "quotes"', deep: [{ inside: "here" }] },
});

test.each([
  "things.happened",
  "a.thing",
  'so "quoted" and \\ slashed',
  "flowing",
  "nightly, {braced}: and [more]",
  '"amount":12',
  'with \\"quotes\\"',
  "here",
])("%s is marked", (term) => {
  expect(isMarked(EVENT, term)).toBe(true);
});

test.each(["unsearched", "prefect.resource.role", 'quoted\\\\"', "happening"])(
  "%s is not",
  (term) => {
    expect(isMarked(EVENT, term)).toBe(false);
  },
);

test("a payload is marked as it is stored, and as it is without the spaces between its values", () => {
  const event = eventOf('{"payload" : {"amount" : 12345678901234567890, "text": "two  spaces"}}');
  for (const term of ['"amount" : 1234', '"amount":12345678901234567890,"text":"two  spaces"'])
    expect(isMarked(event, term)).toBe(true);
});

test("labels with the same name are all marked", () => {
  const event = eventOf('{"resource":{"name":"firstly","name":"secondly"}}');
  expect(["firstly", "secondly"].map((term) => isMarked(event, term))).toEqual([true, true]);
});

test.each([
  ["no object", "[]"],
  ["no JSON", '{"resource":'],
  ["a label that is no text", '{"resource":{"n":1.50}}'],
  ["a label with labels", '{"resource":{"n":{"m":"x"}}}'],
  ["a name with escapes", '{"\\u0070ayload":"x"}'],
  ["a character that stands between name and body", '{"resource":{"n":"\u0002"}}'],
])("of %s, anything is thought possible", (_, body) => {
  expect(isMarked(eventOf(body), "whatever it may be")).toBe(true);
});

test("the members of an object are found as they are written", () => {
  const json = ' {"a" : [1, {"b": 2}], "c":"x,\\"}:" , "d":{}} ';
  const found = jsonMembersOf(json)?.map(({ key, from, to }) => [key, json.slice(from, to).trim()]);
  expect(found).toEqual([
    ['"a"', '[1, {"b": 2}]'],
    ['"c"', '"x,\\"}:"'],
    ['"d"', "{}"],
  ]);
  expect(jsonMembersOf("{}")).toEqual([]);
});
