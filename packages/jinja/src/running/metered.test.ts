// Work that took no steps: each of these ends by itself, long before anybody waits for it.

import { expect, test } from "vitest";
import { templates } from "../testing/engine.ts";
import { DateTime } from "../times/time-kinds.ts";

const often = (body: string): string =>
  `{% for i in range(100) %}{% for j in range(100) %}${body}{% endfor %}{% endfor %}`;

const MANY = 60_000;
const CONTEXT = {
  name: "World",
  body: Object.fromEntries(Array.from({ length: MANY }, (_, index) => [`k${index}`, index])),
};

const TIME = new DateTime(1_700_000_000_000_000n, 0n);
const TOO_LONG = /takes too long/;
const TOO_MUCH = /too much memory/;

test.each([
  // Keys and dicts.
  [`{% set k = ("x",) * 200000 %}${often("{% set d = {k: 1} %}")}`, TOO_LONG],
  [`{% set k = ("x",) * 200000 %}${often("{% set d = body[k] %}")}`, TOO_LONG],
  [`{% set k = ("x",) * 200000 %}${often("{% set d = k in body %}")}`, TOO_LONG],
  [often("{% set d = body|items %}"), TOO_LONG],
  [often("{% set d = body.keys() %}"), TOO_LONG],
  [often("{% set d = body.values() %}"), TOO_LONG],
  [often("{% set d = body.items() %}"), TOO_LONG],
  [often("{% set d = body|dictsort %}"), TOO_LONG],
  [often("{% set d = body|first %}"), TOO_LONG],
  // Long numbers.
  [`{% set a = 3 ** 50000 %}${often("{% set b = a + a %}{% set b = a - 1 %}")}`, TOO_LONG],
  [`{% set a = 3 ** 50000 %}{% set c = 3 ** 25000 %}${often("{% set b = a // c %}")}`, TOO_LONG],
  [`{% set a = 3 ** 50000 %}{% set c = 3 ** 25000 %}${often("{% set b = a % c %}")}`, TOO_LONG],
  [`{% set a = 3 ** 50000 %}{% set c = 3 ** 49999 %}${often("{% set b = a / c %}")}`, TOO_LONG],
  [`{% set a = 3 ** 50000 %}${often("{% set b = a.bit_count() %}")}`, TOO_LONG],
  [`{{ "%d"|format(3 ** 50000) }}`, /more than 4300 digits/],
  [`{{ ${"1".repeat(50_000)} }}`, /more than 4300 digits/],
  // Texts.
  [`{{ ("{0!r:.1}" * 100000).format("x" * 300000) }}`, TOO_LONG],
  [`{{ ("%(a).1r" * 90000) % {"a": "x" * 900000} }}`, TOO_LONG],
  ...["rfind", "rindex", "rsplit", "rpartition", "count", "find", "split", "partition"].map(
    (name) => [`{{ ("a" * 400000).${name}("a" * 10000 ~ "b" ~ "a" * 10000) }}`, TOO_LONG] as const,
  ),
  [`{{ ("a" * 400000).replace("a" * 10000 ~ "b" ~ "a" * 10000, "") }}`, TOO_LONG],
  [`{{ ("a" * 10000 ~ "b" ~ "a" * 10000) in ("a" * 400000) }}`, TOO_LONG],
  [`{{ "2020-01-01"|humanize_naturalday("%c" * 5000) }}`, /format of a time is too long/],
  [often(`{% set a = "2020-01-01"|humanize_naturalday("%c" * 100) %}`), TOO_LONG],
  [`{% set l = [["x"] * 200000] %}${often(`{% set a = l|select("lower")|list %}`)}`, TOO_LONG],
  [
    `{% set b = ["x"] * 900 %}{% set l = [b + [1]] * 500 %}${often("{% set a = l.count(b + [2]) %}")}`,
    TOO_LONG,
  ],
  [
    `{% set b = ["x"] * 900 %}{% set l = [b + [1]] * 500 %}${often("{% set a = b + [2] in l %}")}`,
    TOO_LONG,
  ],
  [
    `{% set b = ["x"] * 900 %}{% set l = [b + [1]] * 500 + [b] %}${often("{% set a = l.index(b) %}")}`,
    TOO_LONG,
  ],
  // Memory before it is used.
  [`{{ ("a.com " * 1000)|urlize(target="x" * 520000) }}`, TOO_MUCH],
  [`{{ ("a " * 900)|wordwrap(1, wrapstring="x" * 500000) }}`, TOO_MUCH],
  [`{% set a = (["x" * 1000] * 2000)|string %}`, TOO_MUCH],
] as readonly (readonly [string, RegExp])[])("survives %s", (template, message) => {
  expect(templates.render(template, CONTEXT).problem?.message).toMatch(message);
});

test.each([
  [`${often("{% if body %}{% endif %}")}{{ body|length }}`, String(MANY)],
  [`{{ [1]|map(attribute="1" * 900000)|list }}`, "[Undefined]"],
  [`{{ ("1" * 999 ~ "x")|float }}`, "0.0"],
  [
    `{{ ["1.5", ".5e1", "5.", "1_0.0_1", ".", "e5", "", "+.e1", "-inf"]|map("float", "no")|list }}`,
    "[1.5, 5.0, 5.0, 10.01, 'no', 'no', 'no', 'no', -inf]",
  ],
  [`{{ {1: "a"}[1.0] }}{{ {10**30: "b"}[10**30] }}{{ {(1, "x"): "c"}[(True, "x")] }}`, "abc"],
  [`{{ ["z" * 500000, "a", "b"]|max|length }}`, "500000"],
  [
    `{{ (3 ** 50000 // 3 ** 49999, 2 ** 70 - 1, 2 ** 70 % 10, 2 ** 70 / 2 ** 69) }}`,
    "(3, 1180591620717411303423, 4, 2.0)",
  ],
  [
    "{{ [(2**60 + 2**7) / 1, (2**60 + 2**7 + 1) / 1, (2**54 + 2) / 1, (2**53 + 1) / 2, 1 / 2**1074] }}",
    "[1.152921504606847e+18, 1.1529215046068472e+18, 1.8014398509481984e+16, 4503599627370496.0, 5e-324]",
  ],
  [`{{ "a b\n\nc d"|wordwrap(1, wrapstring="|") }}`, "a|b||c|d"],
])("still renders %s", (template, text) => {
  expect(templates.render(template, CONTEXT)).toEqual({ text, problem: null });
});

test.each([
  "t.date() + (t - t.subtract(days=1)) * 10 ** 30",
  "(t - t.subtract(days=1)) * 10 ** 30",
  "(t - t.subtract(days=1)) * 1e300",
  "(t - t.subtract(days=1)) / 1e-320",
  "t.date() + (t - t.subtract(days=1)) * 10 ** 7",
])("refuses %s, which no calendar has", (expression) => {
  const { problem } = templates.render(`{{ ${expression} }}`, { t: TIME });
  expect(problem?.message).toMatch(/longer than 999999999 days|out of range/);
});
