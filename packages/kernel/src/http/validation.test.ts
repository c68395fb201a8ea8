import fc from "fast-check";
import { Type } from "typebox";
import { describe, expect, test } from "vitest";
import { rounds } from "../testing/rounds.ts";
import { type TestHttpApp, testHttpApp } from "../testing/test-http-app.ts";
import { InvalidRequestError } from "./invalid-request.ts";
import type { ApiInstance } from "./mount-api.ts";

/**
 * Work that grows with the square of a megabyte takes minutes; a busy machine takes less than this.
 */
const SLOW_MACHINE_MS = 10_000;

const uuid = Type.Unsafe<string>({ type: "string", format: "uuid", lax: "uuid" });
const timestamp = Type.Unsafe<string>({ type: ["string", "null"], lax: "date-time" });
const count = Type.Unsafe<number>({
  type: "integer",
  lax: "integer",
  minimum: 0,
  maximum: 200,
  default: 200,
});
const flag = Type.Unsafe<boolean>({ type: "boolean", lax: "boolean" });
const span = Type.Unsafe<number>({ type: "number", lax: "duration", minimum: 0 });

const Owner = Type.Object({ id: uuid }, { $id: "Owner", additionalProperties: false });
const Item = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 10, pattern: "^[a-z]+$" }),
    owner: Type.Optional(Owner),
    other: Type.Optional(Type.Unsafe<unknown>({ anyOf: [Owner, { type: "null" }] })),
    due: Type.Optional(timestamp),
    every: Type.Optional(span),
    paused: Type.Optional(flag),
    tags: Type.Array(Type.String(), { default: [], maxItems: 3 }),
  },
  { $id: "Item", additionalProperties: false },
);
const Listing = Type.Object(
  {
    limit: count,
    sort: Type.String({ default: "NAME", enum: ["NAME", "AGE"] }),
    where: Type.Optional(Item),
  },
  { nullAsAbsent: true },
);
const Proposal = Type.Object(
  { state: Type.String(), force: Type.Unsafe<boolean>({ ...flag, default: false }) },
  { nullAsAbsent: true },
);
const Shape = Type.Unsafe<unknown>({
  type: "object",
  discriminator: { propertyName: "kind" },
  oneOf: [
    {
      type: "object",
      required: ["kind", "radius"],
      properties: { kind: { const: "circle" }, radius: count },
    },
    { type: "object", required: ["kind"], properties: { kind: { const: "dot" }, size: count } },
  ],
});
const Tree = Type.Cyclic(
  { Branch: Type.Object({ id: uuid, children: Type.Array(Type.Ref("Branch"), { default: [] }) }) },
  "Branch",
);
const Plan = Type.Union([
  Type.Object({ interval: count }, { additionalProperties: false }),
  Type.Object(
    { cron: Type.String(), zone: Type.Optional(Type.String()) },
    { additionalProperties: false },
  ),
]);

function routes(api: ApiInstance): void {
  const echo = (
    request: { body: unknown },
    reply: { send: (payload: unknown) => unknown },
  ): void => {
    reply.send(request.body);
  };
  api.post("/items", { schema: { body: Item } }, echo);
  api.post("/listing", { schema: { body: Listing } }, echo);
  api.post("/proposal", { schema: { body: Proposal } }, echo);
  api.post("/shape", { schema: { body: Shape } }, echo);
  api.post("/tree", { schema: { body: Tree } }, echo);
  api.post("/plan", { schema: { body: Plan } }, echo);
  api.post("/ids", { schema: { body: Type.Array(uuid) } }, echo);
  api.post("/any", { schema: { body: Type.Unsafe<unknown>({}) } }, (request, reply) => {
    reply.send({ received: request.body });
  });
  api.get("/items/:id", { schema: { params: Type.Object({ id: uuid }) } }, (request, reply) => {
    reply.send(request.params);
  });
  api.get(
    "/search",
    {
      schema: {
        querystring: Type.Object({
          limit: count,
          tag: Type.Array(Type.String(), { default: [] }),
          since: Type.Optional(timestamp),
          enabled: Type.Optional(flag),
        }),
      },
    },
    (request, reply) => {
      reply.send(request.query);
    },
  );
}

async function post(t: TestHttpApp, path: string, payload?: unknown) {
  const response = await t.app.inject({
    method: "POST",
    url: `/api${path}`,
    ...(payload === undefined ? {} : { payload: JSON.stringify(payload) }),
    headers: { "content-type": "application/json" },
  });
  return { status: response.statusCode, body: response.json() };
}

async function problems(t: TestHttpApp, path: string, payload?: unknown) {
  const { status, body } = await post(t, path, payload);
  expect(status).toBe(422);
  return (body.exception_detail as { type: string; loc: unknown[] }[]).map(({ type, loc }) => {
    return `${type} ${loc.join(".")}`;
  });
}

const ID = "0190a1b2-c3d4-4e5f-8a9b-0c1d2e3f4a5b";

describe("a whole number that a number would alter", () => {
  const LONG = "123456789012345678901";

  test.each([
    ["/listing", `{"limit":${LONG}}`, "int_parsing_size body.limit"],
    ["/items", `{"name":${LONG}}`, "string_type body.name"],
    ["/items", `{"name":"a","due":${LONG}}`, "datetime_parsing body.due"],
    ["/items", `{"name":"a","every":${LONG}}`, "time_delta_type body.every"],
    ["/items", `{"name":"a","paused":${LONG}}`, "bool_parsing body.paused"],
    ["/items", `{"name":"a","owner":${LONG}}`, "dict_type body.owner"],
    ["/items", `{"name":"a","tags":[${LONG}]}`, "string_type body.tags.0"],
  ])("is refused by %s for %s, and shown with its digits", async (path, payload, problem) => {
    await using t = testHttpApp({ routes });
    const headers = { "content-type": "application/json" };
    const response = await t.app.inject({ method: "POST", url: `/api${path}`, payload, headers });
    expect(response.statusCode).toBe(422);
    const [{ type, loc }] = response.json().exception_detail;
    expect(`${type} ${loc.join(".")}`).toBe(problem);
    expect(response.body).toContain(`"input":${LONG}`);
    expect(response.body).toContain(`"request_body":${payload}`);
  });

  test("is a number where fractions are taken, and kept where labels are", async () => {
    const Measured = Type.Object({
      size: Type.Unsafe<number>({ type: "number", lax: "number" }),
      labels: Type.Unsafe<object>({
        additionalProperties: { type: ["string", "number", "boolean"] },
      }),
    });
    await using t = testHttpApp({
      routes: (api) => {
        api.post("/measured", { schema: { body: Measured } }, (request, reply) => {
          reply.send(request.body);
        });
      },
    });
    const send = (payload: string) =>
      t.app.inject({
        method: "POST",
        url: "/api/measured",
        payload,
        headers: { "content-type": "application/json" },
      });
    const kept = await send(`{"size":${LONG},"labels":{"a":${LONG},"b":"x","c":true,"d":0.5}}`);
    expect(kept.body).toBe(
      `{"size":123456789012345680000,"labels":{"a":${LONG},"b":"x","c":true,"d":0.5}}`,
    );
    const refused = await send('{"size":1,"labels":{"a":[]}}');
    expect(refused.json().exception_detail).toMatchObject([
      {
        type: "string_type",
        loc: ["body", "labels", "a"],
        msg: "Input should be a valid string, a valid number or a valid boolean",
      },
    ]);
  });
});

describe("a valid request", () => {
  test("reaches the handler normalised, with defaults filled in", async () => {
    await using t = testHttpApp({ routes });
    const { status, body } = await post(t, "/items", {
      name: "a",
      owner: { id: ID.toUpperCase().replaceAll("-", "") },
      other: null,
      due: "2026-01-01 12:00:00.1+00:00",
      every: "PT5M",
      paused: "true",
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      name: "a",
      owner: { id: ID },
      other: null,
      due: "2026-01-01T12:00:00.100000Z",
      every: 300,
      paused: true,
      tags: [],
    });
  });

  test("may be a bare list, whose members are normalised too", async () => {
    await using t = testHttpApp({ routes });
    expect((await post(t, "/ids", [ID.toUpperCase()])).body).toEqual([ID]);
  });

  test("may hold a structure that contains itself", async () => {
    await using t = testHttpApp({ routes });
    const tree = { id: ID, children: [{ id: ID.toUpperCase() }] };
    expect((await post(t, "/tree", tree)).body).toEqual({
      id: ID,
      children: [{ id: ID, children: [] }],
    });
    expect(await problems(t, "/tree", { id: ID, children: [{ id: 1 }] })).toEqual([
      "uuid_type body.children.0.id",
    ]);
  });

  test("of a tagged union has the defaults of its variant filled in", async () => {
    await using t = testHttpApp({ routes });
    expect((await post(t, "/shape", { kind: "circle" })).body).toEqual({
      kind: "circle",
      radius: 200,
    });
  });

  test("may be any JSON where the schema says nothing", async () => {
    await using t = testHttpApp({ routes });
    for (const value of [null, 1, "x", [], {}]) {
      expect((await post(t, "/any", value)).body).toEqual({ received: value });
    }
  });
});

describe("a body of named parameters", () => {
  test("treats an explicit null like a parameter that is not there", async () => {
    await using t = testHttpApp({ routes });
    const { body } = await post(t, "/listing", { limit: null, sort: null, where: null });
    expect(body).toEqual({ limit: 200, sort: "NAME" });
  });

  test("ignores names it does not know", async () => {
    await using t = testHttpApp({ routes });
    expect((await post(t, "/listing", { filter: {}, limit: 3 })).body).toEqual({
      limit: 3,
      sort: "NAME",
    });
  });

  test("need not be sent where nothing is required", async () => {
    await using t = testHttpApp({ routes });
    expect((await post(t, "/listing")).body).toEqual({ limit: 200, sort: "NAME" });
  });

  test("misses a required parameter that is null", async () => {
    await using t = testHttpApp({ routes });
    expect(await problems(t, "/proposal", { state: null, force: 1 })).toEqual([
      "missing body.state",
    ]);
    expect(await problems(t, "/proposal")).toEqual(["missing body"]);
  });

  test("still refuses unknown keys and null inside its parameters", async () => {
    await using t = testHttpApp({ routes });
    expect(await problems(t, "/listing", { where: { name: null, colour: 1 } })).toEqual([
      "extra_forbidden body.where.colour",
      "string_type body.where.name",
    ]);
  });

  test("names a wrong shape of the whole", async () => {
    await using t = testHttpApp({ routes });
    expect(await problems(t, "/listing", [])).toEqual(["dict_type body"]);
    expect(await problems(t, "/items", "x")).toEqual(["dict_type body"]);
    expect(await problems(t, "/items")).toEqual(["missing body"]);
  });
});

describe("an invalid body", () => {
  test("is answered with every problem in the known vocabulary", async () => {
    await using t = testHttpApp({ routes });
    expect(
      await problems(t, "/items", {
        name: "UPPER CASE TOO",
        owner: { id: "x" },
        other: { id: 5, x: 1 },
        due: "soon",
        every: -1,
        paused: "perhaps",
        tags: ["a", "b", "c", 4],
        colour: "red",
      }),
    ).toEqual([
      "extra_forbidden body.colour",
      "string_too_long body.name",
      "string_pattern_mismatch body.name",
      "uuid_parsing body.owner.id",
      "extra_forbidden body.other.x",
      "uuid_type body.other.id",
      "datetime_parsing body.due",
      "greater_than_equal body.every",
      "bool_parsing body.paused",
      "too_long body.tags",
      "string_type body.tags.3",
    ]);
  });

  test("has one shape, with a sentence that names the first problems", async () => {
    await using t = testHttpApp({ routes });
    const { body } = await post(t, "/items", { tags: 1, x: 2, y: 3, z: 4 });
    expect(body).toEqual({
      detail:
        "body.name: Field required; body.x: Extra inputs are not permitted; " +
        "body.y: Extra inputs are not permitted, and 2 more",
      exception_message: "Invalid request received.",
      exception_detail: expect.arrayContaining([
        {
          type: "missing",
          loc: ["body", "name"],
          msg: "Field required",
          input: { tags: 1, x: 2, y: 3, z: 4 },
        },
        { type: "list_type", loc: ["body", "tags"], msg: "Input should be a valid list", input: 1 },
      ]),
      request_body: { tags: 1, x: 2, y: 3, z: 4 },
    });
  });

  test.each([
    [{ kind: "circle", radius: "wide" }, ["int_parsing body.radius"]],
    [{ kind: "square" }, ["union_tag_invalid body.kind"]],
    [{}, ["union_tag_not_found body.kind"]],
  ])("of a tagged union is judged by its tag alone: %j", async (payload, expected) => {
    await using t = testHttpApp({ routes });
    expect(await problems(t, "/shape", payload)).toEqual(expected);
  });

  test.each([
    ["", { kind: "square" }],
    [
      ", also where the body is too large to be kept",
      { kind: "square", ballast: "x".repeat(20_000) },
    ],
  ])("with a tag that there is not is answered with those there are%s", async (_, payload) => {
    await using t = testHttpApp({ routes });
    const { body } = await post(t, "/shape", payload);
    expect(body).toMatchObject({
      detail:
        "body.kind: Input tag 'square' found using 'kind' does not match any of the expected tags: 'circle', 'dot'",
      exception_detail: [
        { ctx: { discriminator: "'kind'", tag: "square", expected_tags: "'circle', 'dot'" } },
      ],
    });
  });

  test.each([
    [{ cron: 5 }, ["string_type body.cron"]],
    [{ cron: "* * * * *", zone: 1 }, ["string_type body.zone"]],
    [{ interval: -1 }, ["greater_than_equal body.interval"]],
    ["daily", ["dict_type body"]],
  ])(
    "of a plain union is compared with the variant it comes nearest to: %j",
    async (payload, expected) => {
      await using t = testHttpApp({ routes });
      expect(await problems(t, "/plan", payload)).toEqual(expected);
    },
  );

  test("never has its secrets echoed", async () => {
    const Login = Type.Object(
      {
        user: Type.String(),
        password: Type.String({ minLength: 50 }),
        pin: Type.Unsafe<number>({ type: "integer", secret: true }),
        hook: Type.Optional(Type.String({ maxLength: 3 })),
        headers: Type.Optional(Type.Unsafe<object>({ type: "object", maxProperties: 0 })),
      },
      { additionalProperties: false },
    );
    await using t = testHttpApp({
      routes: (api) => {
        api.post("/login", { schema: { body: Login } }, () => {
          const problem = {
            type: "value_error",
            loc: ["body", "user"],
            msg: "Value error, unknown",
          };
          throw new InvalidRequestError([problem]);
        });
      },
    });
    const payload = {
      password: "hunter2hunter2",
      pin: "31337",
      hook: "https://me:hunter2@example.org/x",
      headers: { Authorization: "Bearer hunter2", "X-Api-Key": "hunter2" },
      api_token: "hunter2",
    };
    const { status, body } = await post(t, "/login", payload);
    expect(status).toBe(422);
    expect(JSON.stringify(body)).not.toMatch(/hunter2|31337/);
    expect(body.request_body).toMatchObject({ password: "********", pin: "********" });
    const fitting = { user: "me", password: "hunter2".repeat(8), pin: 31337 };
    const { body: later } = await post(t, "/login", fitting);
    expect(later.request_body).toEqual({ user: "me", password: "********", pin: "********" });
  });

  test("is echoed only while it is small, and its answer stays small", async () => {
    await using t = testHttpApp({ routes });
    const payload = { name: "x".repeat(900_000) };
    const { status, body } = await post(t, "/items", payload);
    expect(status).toBe(422);
    expect(body.request_body).toBeNull();
    expect(JSON.stringify(body).length).toBeLessThan(1000);
    const key = "k".repeat(5000);
    const { body: other } = await post(t, "/items", { name: "a", [key]: "v".repeat(5000) });
    expect(JSON.stringify(other.exception_detail).length).toBeLessThan(1000);
    const { body: many } = await post(
      t,
      "/ids",
      Array.from({ length: 4000 }, () => 1),
    );
    expect(many.exception_detail).toHaveLength(50);
  });

  test("with half a million wrong members is refused soon", async () => {
    await using t = testHttpApp({ routes });
    await post(t, "/ids", []);
    const payload = Array.from({ length: 500_000 }, () => 1);
    const started = performance.now();
    expect(await problems(t, "/ids", payload)).toEqual(["uuid_type body.0"]);
    expect(performance.now() - started).toBeLessThan(SLOW_MACHINE_MS);
  });
});

describe("a query string", () => {
  const search = async (t: TestHttpApp, query: string) => {
    const response = await t.app.inject(`/api/search${query}`);
    return { status: response.statusCode, body: response.json() };
  };

  test("is turned into what the schema names", async () => {
    await using t = testHttpApp({ routes });
    expect((await search(t, "?limit=5&tag=a&enabled=1&since=2026-01-01&x=y")).body).toEqual({
      limit: 5,
      tag: ["a"],
      enabled: true,
      since: "2026-01-01T00:00:00.000000Z",
    });
    expect((await search(t, "?tag=a&tag=b&limit=1&limit=2")).body).toEqual({
      limit: 2,
      tag: ["a", "b"],
    });
    expect((await search(t, "")).body).toEqual({ limit: 200, tag: [] });
  });

  test("with a wrong value is a 422 that names the parameter", async () => {
    await using t = testHttpApp({ routes });
    const { status, body } = await search(t, "?limit=many&enabled=perhaps");
    expect(status).toBe(422);
    expect(body.exception_detail).toMatchObject([
      { type: "int_parsing", loc: ["query", "limit"], input: "many" },
      { type: "bool_parsing", loc: ["query", "enabled"], input: "perhaps" },
    ]);
    expect(body.detail).toMatch(/^query.limit: Input should be a valid integer/);
  });

  test("with a NUL character is a 422", async () => {
    await using t = testHttpApp({ routes });
    expect((await search(t, "?tag=a%00b")).status).toBe(422);
  });
});

describe("a path parameter", () => {
  test("is normalised", async () => {
    await using t = testHttpApp({ routes });
    const response = await t.app.inject(`/api/items/${ID.toUpperCase()}`);
    expect(response.json()).toEqual({ id: ID });
  });

  test.each(["not-a-uuid", "%00", `${ID}%00`, "a".repeat(2000), "%F0%9F%91%8B"])(
    "that cannot be the name of anything is a 404: %s",
    async (id) => {
      await using t = testHttpApp({ routes });
      const response = await t.app.inject(`/api/items/${id}`);
      expect(response.statusCode).toBe(404);
      expect(response.json()).toEqual({ detail: "Not Found", exception_message: "Not Found" });
    },
  );
});

test("no JSON whatever makes a schema fail otherwise than with 422", async () => {
  await using t = testHttpApp({ routes });
  const path = fc.constantFrom(
    "/items",
    "/listing",
    "/proposal",
    "/shape",
    "/tree",
    "/plan",
    "/ids",
  );
  const names = [
    "name",
    "owner",
    "due",
    "every",
    "tags",
    "limit",
    "where",
    "kind",
    "id",
    "children",
  ];
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 4 }),
    fc.dictionary(fc.constantFrom(...names), fc.jsonValue({ maxDepth: 3 })),
  );
  await fc.assert(
    fc.asyncProperty(path, value, async (url, payload) => {
      const { status } = await post(t, url, payload);
      expect([200, 422]).toContain(status);
    }),
    { numRuns: rounds(150, 700) },
  );
});

test("an API may promise its own sentence for a wrong value", async () => {
  const limit = Type.Unsafe<number>({ ...count, detailPrefix: "Invalid limit: must be" });
  await using t = testHttpApp({
    routes: (api) => {
      const body = Type.Object({ limit }, { nullAsAbsent: true });
      api.post("/list", { schema: { body } }, (_request, reply) => {
        reply.send([]);
      });
    },
  });
  const over = await post(t, "/list", { limit: 201 });
  expect(over.body.detail).toBe("Invalid limit: must be less than or equal to 200.");
  const under = await post(t, "/list", { limit: -1 });
  expect(under.body.detail).toBe("Invalid limit: must be greater than or equal to 0.");
});

test("every schema of an API can be compiled ahead, which finds broken ones", async () => {
  await using t = testHttpApp({ routes });
  await t.app.ready();
  expect(() => t.api.compileSchemas()).not.toThrow();
  await using broken = testHttpApp({
    routes: (api) => {
      api.post("/x", { schema: { body: Type.Ref("Nowhere") } }, () => {});
    },
  });
  await broken.app.ready();
  expect(() => broken.api.compileSchemas()).toThrow(/Nowhere/);
});
