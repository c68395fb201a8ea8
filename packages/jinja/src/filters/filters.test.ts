import { expect, test } from "vitest";
import { templates } from "../testing/engine.ts";
import { Meter, renderBudget } from "../values/meter.ts";
import type { RenderRun } from "../values/run.ts";
import { HUMANIZE_FILTERS } from "./humanize-filters.ts";

test.each([
  ["30000000|humanize_naturalsize", "30.0 MB"],
  ["300|humanize_naturalsize", "300 Bytes"],
  ["1|humanize_naturalsize", "1 Byte"],
  ["3000|humanize_naturalsize(binary=true)", "2.9 KiB"],
  ["3000|humanize_naturalsize(gnu=true, format='%.2f')", "2.93K"],
  ["'1000000'|humanize_intcomma", "1,000,000"],
  ["1234.5454545|humanize_intcomma(2)", "1,234.55"],
  ["12345591313|humanize_intword", "12.3 billion"],
  ["999999|humanize_intword", "1.0 million"],
  ["999|humanize_intword", "999"],
  ["[1|humanize_ordinal, 12|humanize_ordinal, 103|humanize_ordinal]|join(' ')", "1st 12th 103rd"],
  ["5|humanize_apnumber", "five"],
  ["0.3|humanize_fractional", "3/10"],
  ["1.5|humanize_fractional", "1 1/2"],
  ["500|humanize_scientific", "5.00 x 10²"],
  ["0.00123|humanize_scientific(precision=1)", "1.2 x 10⁻³"],
  ["0.0001|humanize_clamp(floor=0.01)", "<0.01"],
  ["1500|humanize_metric('V')", "1.50 kV"],
  ["0.00022|humanize_metric(unit='F')", "220 μF"],
  ["172800|humanize_naturaldelta", "2 days"],
  ["'1 day, 1:00:33.120000'|humanize_precisedelta", "1 day, 1 hour and 33.12 seconds"],
  [
    "3633.5|humanize_precisedelta(minimum_unit='minutes', format='%0.1f')",
    "1 hour and 0.6 minutes",
  ],
  ["60|humanize_naturaltime", "a minute ago"],
  ["60|humanize_naturaltime(future=true)", "a minute from now"],
  ["'soon'|humanize_naturaltime", "soon"],
  ["none|humanize_intcomma", "None"],
  ["[1]|humanize_naturalsize", ""],
  ["'2026-99-99T00:00:00Z'|humanize_naturalday", "2026-99-99T00:00:00Z"],
])("{{ %s }} is %j", (expression, text) => {
  expect(templates.check(`{{ ${expression} }}`)).toBeNull();
  expect(templates.render(`{{ ${expression} }}`, {})).toEqual({ text, problem: null });
});

test.each([
  ["humanize_naturaltime", "2026-11-14T08:57:00.000000Z", "3 minutes ago"],
  ["humanize_naturaltime", "2026-11-14T13:00:00+02:00", "2 hours from now"],
  ["humanize_naturaltime", "2026-11-14T09:00:00.000000Z", "now"],
  ["humanize_naturaltime", "2024-11-10", "2 years ago"],
  ["humanize_naturaldelta", "2025-10-01T00:00:00Z", "1 year, 1 month"],
  ["humanize_naturalday", "2026-11-14T23:00:00Z", "today"],
  ["humanize_naturalday", "2026-11-13T01:00:00Z", "yesterday"],
  ["humanize_naturalday", "2026-11-20 00:00:00Z", "Nov 20"],
  ["humanize_naturaldate", "2026-01-20T00:00:00Z", "Jan 20 2026"],
  ["humanize_naturalday", "0000-01-01T00:00:00+23:59", "0000-01-01T00:00:00+23:59"],
])("%s says of %s, seen in the morning of the 14th: %s", (name, value, text) => {
  const now = Date.parse("2026-11-14T09:00:00Z") * 1000;
  const run = {
    meter: new Meter(renderBudget()),
    nowMicros: () => now,
  } as Partial<RenderRun> as RenderRun;
  expect(HUMANIZE_FILTERS[name]?.(run, value, { positional: [], named: new Map() })).toBe(text);
});

test.each([
  ["'[' ~ ('abc'|center(9)) ~ ']'", "[   abc   ]"],
  ["'[' ~ ('ab'|center(5)) ~ ']'", "[  ab ]"],
  ["'abc'|center(2)", "abc"],
  ["'a b/c?d&é'|urlencode", "a%20b/c%3Fd%26%C3%A9"],
  ["{'n': 5, 'q': 'a b'}|urlencode", "n=5&q=a+b"],
  ["[['a', 1], ['b/', '(x)']]|urlencode", "a=1&b%2F=%28x%29"],
  ["'three short words'|wordcount", "3"],
  ["none|wordcount", "1"],
  ["'one two three four'|wordwrap(9)", "one two\nthree\nfour"],
  ["'abcdefgh ij'|wordwrap(3)", "abc\ndef\ngh\nij"],
  ["'abcdefgh ij'|wordwrap(3, break_long_words=false, wrapstring='|')", "abcdefgh|ij"],
  ["'<a href=\"x\">'|forceescape", "&lt;a href=&#34;x&#34;&gt;"],
  ["'%s took %d s (%.2f%%)'|format('etl', 7.9, 99.5)", "etl took 7 s (99.50%)"],
  ["'%(who)s: %(n)05d'|format(who='kim', n=42)", "kim: 00042"],
  ["'[%-6s|%6s|%+d|%x|%X|%o]'|format('a', 'b', 3, 255, 255, 8)", "[a     |     b|+3|ff|FF|10]"],
  ["'%e %g %g %g'|format(1234.5, 0.00001, 123456789, 0.5)", "1.234500e+03 1e-05 1.23457e+08 0.5"],
  ["'%s %s'|format(true, [1])", "True [1]"],
  ["'%.1f %d'|format(-0.04, -3)", "-0.0 -3"],
])("{{ %s }}, a filter of Jinja, is %j", (expression, text) => {
  const template = `{{ ${expression} }}`;
  expect(templates.check(template)).toBeNull();
  expect(templates.render(template, {})).toEqual({ text, problem: null });
});
