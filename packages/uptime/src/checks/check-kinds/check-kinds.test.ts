import type { CheckField, CheckKind } from "@orchestrator/contract";
import { MASK } from "@orchestrator/kernel/pure";
import { expect, test } from "vitest";
import { describeEachUptimeApi, type UptimeApi } from "../../testing.ts";
import { CHECKS, type CheckConfig, findCheck } from "../registry.ts";
import { secretMasker } from "../secret-masker.ts";
import { secretsIn } from "../secrets.ts";

type Options = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const optionsOf = ({ schema }: Pick<CheckKind, "schema">): Options =>
  (schema["properties"] ?? {}) as Options;

/** Every option that is called secret, also within another: the keys that lead to it. */
function* secretsOf(schema: CheckKind["schema"]): Generator<readonly string[]> {
  for (const [key, option] of Object.entries(optionsOf({ schema })))
    if (option["secret"] === true) yield [key];
    else for (const path of secretsOf(option as CheckKind["schema"])) yield [key, ...path];
}

/** What the schema of an option says where a form asks for it in such a way. */
const FITTING: Readonly<Record<CheckField["kind"], object>> = {
  text: { type: "string" },
  area: { type: "string" },
  number: { type: "integer" },
  flag: { type: "boolean" },
  choice: { type: "string", enum: expect.arrayContaining([expect.any(String)]) },
  secret: { type: "string", secret: true },
  list: { type: "array" },
  lines: { anyOf: [{ type: "string" }, { type: "array" }] },
  headers: { type: "object" },
  expectations: {
    type: "array",
    items: { properties: { comparison: { enum: expect.arrayContaining(["==", "exists"]) } } },
  },
};

const kindsOf = async (api: UptimeApi) => (await api.get("/checks")).body as readonly CheckKind[];

const create = (api: UptimeApi, check: object) =>
  api.post("/monitors", {
    name: "Shop",
    url: "https://shop.example.com",
    pipeline: [check],
    enabled: false,
  });

describeEachUptimeApi("the types of checks", (open) => {
  test("are those that the server can run, each with a schema, defaults and a form", async () => {
    await using api = await open();
    const kinds = await kindsOf(api);
    expect(kinds.map(({ type }) => type)).toEqual(CHECKS.map(({ type }) => type));
    expect(new Set(kinds.map(({ type }) => type)).size).toBe(kinds.length);
    for (const kind of kinds) {
      const options = optionsOf(kind);
      expect(options["type"]).toEqual({ type: "string", const: kind.type });
      expect(Object.keys(options)).toEqual(expect.arrayContaining(Object.keys(kind.defaults)));
      // A token is made by the server.
      const asked = Object.keys(options).filter((key) => key !== "type" && key !== "token");
      expect(kind.fields.map(({ key }) => key).sort()).toEqual(asked.sort());
      for (const field of kind.fields)
        expect(options[field.key]).toMatchObject(FITTING[field.kind]);
    }
  });

  test("are all that a pipeline may hold, and the document says so", async () => {
    await using api = await open();
    const { components } = (await api.get("/openapi.json")).body as {
      readonly components: { readonly schemas: Readonly<Record<string, object>> };
    };
    const $ref = (name: unknown) => ({ $ref: `#/components/schemas/${String(name)}` });
    expect(components.schemas["CheckConfig"]).toMatchObject({
      discriminator: { propertyName: "type" },
      oneOf: (await kindsOf(api)).map(({ schema }) => $ref(schema["$id"])),
    });
    for (const model of [
      "Monitor",
      "MonitorCreate",
      "MonitorUpdate",
      "MonitorEntry",
      "MonitorOverview",
      "CheckTrial",
    ])
      expect(components.schemas[model]).toMatchObject({
        properties: { pipeline: { items: $ref("CheckConfig") } },
      });
    expect(await create(api, { type: "carrier pigeon" })).toMatchObject({
      status: 422,
      body: {
        detail: expect.stringContaining("expected tags: 'http', 'instance', "),
        exception_detail: [{ loc: ["body", "pipeline", 0, "type"] }],
      },
    });
  });

  test("have defaults and a first form that can be saved as they are, and no other options", async () => {
    await using api = await open();
    for (const { type, defaults, prefill } of await kindsOf(api)) {
      for (const check of [prefill, { type, ...defaults }])
        expect((await create(api, check)).status, `${type}: every option can be left out`).toBe(
          201,
        );
      expect(await create(api, { ...prefill, feathers: 2 })).toMatchObject({
        status: 422,
        body: { exception_detail: [{ loc: ["body", "pipeline", 0, "feathers"] }] },
      });
    }
  });

  test("keep every option sealed that they call secret, and out of what they tell", async () => {
    await using api = await open();
    const secret = "as secret as can be";
    const looked: string[] = [];
    for (const { type, schema, prefill } of await kindsOf(api))
      for (const path of secretsOf(schema)) {
        const withIt = (value: string) =>
          path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as object;
        const check = { ...prefill, ...withIt(secret) } as CheckConfig;
        const { status, body } = await create(api, check);
        expect(status).toBe(201);
        expect(body, type).toMatchObject({ pipeline: [{ type, ...withIt(MASK) }] });
        const known = findCheck(check);
        const hide = secretMasker(known === null ? [] : secretsIn(known, check));
        expect(hide(`535 bad login ${secret}`), type).toBe(`535 bad login ${MASK}`);
        looked.push(`${type}/${path.join("/")}`);
      }
    expect(looked).toContain("instance/password");
  });

  test("are told to nobody who is not logged in", async () => {
    await using api = await open();
    expect((await api.request("GET", "/checks", { isAnonymous: true })).status).toBe(401);
  });
});
