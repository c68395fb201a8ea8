import { sentences } from "@orchestrator/json-schema/problems";
import { createComputePool } from "@orchestrator/kernel/compute";
import { openScope } from "@orchestrator/kernel/scope";
import { afterAll, describe, expect, test } from "vitest";
import { type HydrationOptions, hydrate, hydrateParameters } from "./hydrate.ts";

const VARIABLES = new Map<string, unknown>([
  ["region", "eu"],
  ["limits", { cpu: 2, note: { __prefect_kind: "json", value: "1" } }],
  ["pointer", "region"],
  ["nothing", null],
]);

interface HydrationCase {
  readonly queries: (readonly string[])[];
  readonly options: HydrationOptions;
}

const pool = createComputePool({ budget: { cpuMs: 60_000, memoryMb: 64 } });
afterAll(() => pool.close());
const compute = pool.for(openScope("test"));

/** `null` leaves templates as they are. */
function asking(values?: Readonly<Record<string, unknown>> | null): HydrationCase {
  const queries: (readonly string[])[] = [];
  const variables: HydrationOptions["variables"] = (names) => {
    if (names.length > 0) queries.push(names);
    return Promise.resolve(new Map([...VARIABLES].filter(([name]) => names.includes(name))));
  };
  return {
    queries,
    options: {
      compute,
      variables,
      isRendered: values !== null,
      ...(values == null ? {} : { context: { values, isLarge: false, onThread: noThread } }),
    },
  };
}

const noThread = () => Promise.reject(new Error("a thread is needed"));

const json = (value: unknown) => ({ __prefect_kind: "json", value });
const jinja = (template: unknown) => ({ __prefect_kind: "jinja", template });
const variable = (name: unknown) => ({ __prefect_kind: "workspace_variable", variable_name: name });

describe("hydrate", () => {
  test.each<[given: unknown, expected: unknown]>([
    [5, 5],
    [{ a: [1, { b: null }] }, { a: [1, { b: null }] }],
    [{ __prefect_kind: "none", value: 5 }, 5],
    [{ __prefect_kind: "none", value: { a: json("1") } }, { a: 1 }],
    [{ __prefect_kind: "elsewhere", value: [json("1")] }, [1]],
    [
      { a: { __prefect_kind: "elsewhere" }, b: 1 },
      { a: null, b: 1 },
    ],
    [[{ __prefect_kind: "elsewhere" }, { __prefect_kind: "none" }], [null]],
    [{ __prefect_kind: null, value: 1 }, 1],
    [{ a: { __prefect_kind: null } }, { a: null }],
    [{ __orchestrator_kind: "json", value: "[1]" }, [1]],
    [json('{"a": [1, null]}'), { a: [1, null] }],
    [json('{"__prefect_kind": "none"}'), { __prefect_kind: "none" }],
    [json({ __prefect_kind: "none", value: "[2]" }), [2]],
    [json(jinja("[{{ n }}]")), [3]],
    [json(5), 5],
    [{ a: json(null) }, { a: null }],
    [json({ b: [json("1")] }), { b: [1] }],
    [{ a: { __prefect_kind: "json" }, b: 1 }, { b: 1 }],
    [{ a: { __prefect_kind: "jinja" }, b: 1 }, { b: 1 }],
    [{ a: { __prefect_kind: "workspace_variable" }, b: 1 }, { b: 1 }],
    [[{ __prefect_kind: "json" }, 1], [1]],
    [jinja("n is {{ n }}{{ missing.deep }}"), "n is 3"],
    [jinja({ __prefect_kind: "none", value: "{{ n }}" }), "3"],
    [variable("region"), "eu"],
    [variable("nothing"), null],
    [variable("limits"), VARIABLES.get("limits")],
    [variable(variable("pointer")), "eu"],
    [variable(jinja("reg{{ 'ion' }}")), "eu"],
  ])("turns %j into %j", async (given, expected) => {
    const hydrated = await hydrate(given, asking({ n: 3 }).options);
    expect(hydrated).toEqual({ value: expected, problems: [], unrendered: [] });
  });

  test.each<[given: unknown, problem: string]>([
    [json("{"), "is not JSON: "],
    [json('{"__proto__": {"x": 1}}'), "__proto__ is not allowed"],
    [json("1e999"), "holds a number too large"],
    [json('["a\\u0000"]'), "holds the character NUL"],
    [json('{"\\u0000": 1}'), "holds the character NUL"],
    [json('"\\ud800"'), "holds half a character"],
    [jinja('{{ "\\u0000" }}'), "holds the character NUL"],
    [json("[".repeat(300) + "]".repeat(300)), "nested more than 200 deep"],
    [jinja("\n{% if %}"), "line 2 of the template: syntax error"],
    [jinja(5), "has a template that is not a text"],
    [jinja("{{ 'x'|nope }}"), "there is no filter named nope"],
    [variable("unknown"), 'there is no variable named "unknown"'],
    [variable(5), "names a variable by something that is no text"],
    [json(variable("unknown")), 'there is no variable named "unknown"'],
  ])("says what is wrong with %j", async (given, problem) => {
    const { problems } = await hydrate({ a: [1, given] }, asking().options);
    expect(sentences(problems)).toEqual([expect.stringContaining(problem)]);
    expect(problems[0]?.path).toEqual(["a", 1]);
  });

  test("reads all variables with one query, and each name once", async () => {
    const { queries, options } = asking();
    const given = { a: variable("region"), b: [variable("limits"), variable("region")] };
    const { value } = await hydrate(given, options);
    expect(value).toEqual({ a: "eu", b: [VARIABLES.get("limits"), "eu"] });
    expect(queries).toEqual([["region", "limits"]]);
  });

  test("asks for nothing where nothing is named", async () => {
    const { queries, options } = asking();
    await hydrate({ a: [json("1")] }, options);
    expect(queries).toEqual([]);
  });

  test("leaves templates as they are when there is nothing to render them with", async () => {
    const given = { a: jinja("{{ n }}"), b: [json(jinja("{{ n }}"))], c: jinja("{% if %}") };
    const hydrated = await hydrate(given, asking(null).options);
    expect(hydrated.unrendered).toEqual([["a"], ["b", 0]]);
    expect(hydrated.value).toMatchObject({ a: "{{ n }}", b: ["{{ n }}"] });
    expect(sentences(hydrated.problems)).toEqual([
      expect.stringMatching(/^parameters\.c: line 1 of the template/),
    ]);
  });

  test("parameters stay an object", async () => {
    const { options } = asking();
    expect(await hydrateParameters({ __prefect_kind: "json" }, options)).toMatchObject({
      value: {},
    });
    expect((await hydrateParameters(json("[1]"), options)).problems).toEqual([
      { path: [], message: "must be an object" },
    ]);
  });
});

describe("hostile placeholders", () => {
  test("nested deep are refused", async () => {
    let given: unknown = 1;
    for (let i = 0; i < 5000; i += 1) given = { __prefect_kind: "none", value: given };
    const { problems } = await hydrate(given, asking().options);
    expect(sentences(problems)).toEqual(["parameters: is nested more than 200 deep"]);
  });

  test("with the name of the prototype change no prototype", async () => {
    const given = JSON.parse('{"__proto__": {"polluted": 1}, "a": 1}') as unknown;
    const { problems, value } = await hydrate(given, asking().options);
    expect(problems).toHaveLength(1);
    expect((value as { readonly polluted?: unknown }).polluted).toBeUndefined();
  });

  test("that name endless variables are refused", async () => {
    const given = Array.from({ length: 1500 }, (_, i) => variable(`v${i}`));
    const { queries, options } = asking();
    expect((await hydrate(given, options)).problems).toHaveLength(100);
    expect(queries.flat()).toHaveLength(1000);
  });

  test("with many templates that are only checked share one allowance", async () => {
    const long = jinja("{{ a }}".repeat(14_000));
    const many = Array.from({ length: 21 }, () => long);
    const { problems } = await hydrate(many, asking(null).options);
    expect(problems[0]?.message).toContain("takes too long");
  });

  test("with thousands of wrong templates name a hundred", async () => {
    const wrong = Array.from({ length: 5000 }, () => jinja("{% if %}"));
    const { problems, unrendered } = await hydrate(wrong, asking(null).options);
    expect(problems).toHaveLength(100);
    expect(unrendered).toEqual([]);
  });

  test("with many slow templates share one allowance", async () => {
    const slow = jinja(
      '{% set s = "x" * 800000 %}{% for i in range(100) %}{% for j in range(100) %}{% set t = s ~ i %}{% endfor %}{% endfor %}',
    );
    const { problems } = await hydrate(
      Array.from({ length: 50 }, () => slow),
      asking().options,
    );
    expect(problems).toHaveLength(50);
    expect(problems[49]?.message).toContain("takes too long");
  });
});
