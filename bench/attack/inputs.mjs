// What is put into the attacks on computation: small inputs that take long.

const property = (schema) => ({ type: "object", properties: { x: schema } });

/** Backtracks through 2^35 ways of sharing out the letters. */
export const PATTERN = {
  schema: property({ type: "string", pattern: "^(a+)+$" }),
  values: { x: `${"a".repeat(35)}!` },
};

/** Each is compared with every other. */
export const UNIQUE = {
  schema: property({ type: "array", uniqueItems: true }),
  values: { x: Array.from({ length: 60_000 }, (_, n) => ({ n })) },
};

export const DEEP = `{{ ${"(".repeat(10_000)}1${")".repeat(10_000)} }}`;

/** Excludes every second that it names. */
export const ENDLESS_RULE = "RRULE:FREQ=SECONDLY\nEXRULE:FREQ=SECONDLY";

const twice = (count, body) =>
  `{% for a in range(${count}) %}{% for b in range(${count}) %}${body}{% endfor %}{% endfor %}`;

/** By name, templates of webhooks. */
export const LOOPS = {
  index: `{% set x=("a"*200000)|list+["b"] %}${twice(100, '{% set y=x.index("b") %}')}`,
  wordwrap: `{% set x="a "*100000 %}${twice(30, "{% set y=x|wordwrap(1) %}")}`,
  pprint: `{% set x=("a"*100000)|list %}${twice(30, "{% set y=x|pprint %}")}`,
  tojson: `{% set x=("a"*100000)|list %}${twice(30, "{% set y=x|tojson %}")}`,
};
