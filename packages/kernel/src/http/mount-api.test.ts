import { Type } from "typebox";
import { describe, expect, test } from "vitest";
import { testHttpApp, testScope } from "../testing/test-http-app.ts";
import type { ApiInstance } from "./mount-api.ts";
import { mountApi } from "./mount-api.ts";

const uuid = Type.Unsafe<string>({ type: "string", format: "uuid", lax: "uuid" });
const Thing = Type.Object(
  {
    id: uuid,
    name: Type.String(),
    parent: Type.Unsafe<unknown>({ anyOf: [Type.Ref("Node"), { type: "null" }] }),
  },
  { $id: "Thing", additionalProperties: false },
);
const Create = Type.Object(
  {
    name: Type.String({ description: "What it is called" }),
    tags: Type.Array(Type.String(), { default: [] }),
    secret: Type.Optional(Type.Unsafe<string>({ type: "string", writeOnly: true, secret: true })),
  },
  { $id: "ThingCreate", additionalProperties: false },
);
const Filter = Type.Object(
  {
    limit: Type.Unsafe<number>({
      lax: "integer",
      minimum: 0,
      default: 200,
      detailPrefix: "Invalid limit:",
    }),
  },
  { nullAsAbsent: true },
);
const Node = Type.Cyclic({ Node: Type.Object({ next: Type.Optional(Type.Ref("Node")) }) }, "Node");

function routes(api: ApiInstance): void {
  const tags = ["Things"];
  api.post(
    "/things/",
    {
      schema: {
        body: Create,
        response: { 201: Thing },
        tags,
        summary: "Create a thing",
        operationId: "create_thing",
      },
    },
    async (request, reply) => {
      const name: string = request.body.name;
      const given: string[] = request.body.tags;
      return reply.code(201).send({ id: "x", name, given });
    },
  );
  api.post(
    "/things/filter",
    {
      schema: {
        body: Filter,
        response: { 200: Type.Array(Thing) },
        tags,
        operationId: "filter_things",
      },
    },
    async (request) => {
      const limit: number = request.body.limit;
      return [limit];
    },
  );
  api.get(
    "/things/:id",
    {
      schema: {
        params: Type.Object({ id: uuid }),
        querystring: Type.Object({ deep: Type.Optional(Type.Unsafe<boolean>({ lax: "boolean" })) }),
        response: { 200: Thing },
        tags,
        operationId: "read_thing",
      },
    },
    async (request) => ({ id: request.params.id, deep: request.query.deep ?? false }),
  );
  api.delete(
    "/things/:id",
    {
      schema: {
        params: Type.Object({ id: uuid }),
        response: { 204: Type.Null() },
        tags,
        operationId: "delete_thing",
      },
    },
    async (_request, reply) => reply.code(204).send(),
  );
  api.put(
    "/node",
    { schema: { body: Node, operationId: "put_node", response: { 200: Type.Null() } } },
    async () => null,
  );
  api.get("/internal", { schema: { hide: true } }, async () => null);
}

type Document = {
  openapi: string;
  paths: Record<string, Record<string, Record<string, unknown>>>;
  components: { schemas: Record<string, Record<string, unknown>> };
};

describe("the OpenAPI document", () => {
  test("is version 3.1 and describes every route under its own path", async () => {
    await using t = testHttpApp({ routes });
    const response = await t.app.inject("/api/openapi.json");
    expect(response.headers["content-type"]).toBe("application/json; charset=utf-8");
    const document: Document = response.json();
    expect(document.openapi).toBe("3.1.0");
    expect(document).toMatchObject({
      info: { title: "Test API", version: "1.0.0" },
      servers: [{ url: "/api" }],
    });
    expect(Object.entries(document.paths).map(([path, item]) => [path, Object.keys(item)])).toEqual(
      [
        ["/things/", ["post"]],
        ["/things/filter", ["post"]],
        ["/things/{id}", ["get", "delete"]],
        ["/node", ["put"]],
      ],
    );
  });

  test("describes operations by their schemas, named ones by reference", async () => {
    await using t = testHttpApp({ routes });
    const document: Document = (await t.app.inject("/api/openapi.json")).json();
    expect(document.paths["/things/"]?.["post"]).toEqual({
      tags: ["Things"],
      summary: "Create a thing",
      operationId: "create_thing",
      requestBody: {
        required: true,
        content: { "application/json": { schema: { $ref: "#/components/schemas/ThingCreate" } } },
      },
      responses: {
        201: {
          description: "Created",
          content: { "application/json": { schema: { $ref: "#/components/schemas/Thing" } } },
        },
        422: { $ref: "#/components/responses/Error" },
        default: { $ref: "#/components/responses/Error" },
      },
    });
    expect(document.paths["/things/{id}"]?.["get"]).toMatchObject({
      parameters: [
        { name: "id", in: "path", required: true, schema: { type: "string", format: "uuid" } },
        { name: "deep", in: "query", required: false, schema: { type: "boolean" } },
      ],
      responses: { 404: { $ref: "#/components/responses/Error" } },
    });
    expect(document.paths["/things/{id}"]?.["delete"]).toMatchObject({
      responses: { 204: { description: "No Content" } },
    });
  });

  test("says in plain JSON schema what the server's own keywords mean", async () => {
    await using t = testHttpApp({ routes });
    const { body } = await t.app.inject("/api/openapi.json");
    expect(body).not.toMatch(/"(?:lax|nullAsAbsent|detailPrefix|secret|\$id|\$defs|hide)":(?!\{)/);
    const document: Document = JSON.parse(body);
    expect(document.paths["/things/filter"]?.["post"]?.["requestBody"]).toEqual({
      required: false,
      content: {
        "application/json": {
          schema: {
            type: "object",
            properties: { limit: { type: ["integer", "null"], minimum: 0, default: 200 } },
          },
        },
      },
    });
    expect(document.components.schemas["ThingCreate"]).toMatchObject({ required: ["name"] });
  });

  test("refers only to what it holds", async () => {
    await using t = testHttpApp({ routes });
    const document: Document = (await t.app.inject("/api/openapi.json")).json();
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(
      (match) => match[1],
    );
    expect(references.length).toBeGreaterThan(5);
    for (const reference of references) {
      const found = (reference ?? "")
        .slice(2)
        .split("/")
        .reduce<unknown>((value, key) => {
          return (value as Record<string, unknown> | undefined)?.[key];
        }, document);
      expect(found, reference).toBeTypeOf("object");
    }
    const ids = [...JSON.stringify(document).matchAll(/"operationId":"([^"]+)"/g)].map(
      (match) => match[1],
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("describes the one error shape once", async () => {
    await using t = testHttpApp({ routes });
    const document: Document = (await t.app.inject("/api/openapi.json")).json();
    expect(document.components.schemas["Error"]).toMatchObject({
      required: ["detail", "exception_message"],
    });
  });
});

describe("the docs page", () => {
  test("loads everything from this server", async () => {
    await using t = testHttpApp({ routes });
    const page = await t.app.inject("/api/docs");
    expect(page.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(page.headers["content-security-policy"]).toContain("default-src 'none'");
    const addresses = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(
      (match) => match[1] ?? "",
    );
    expect(addresses).toHaveLength(4);
    for (const address of addresses.filter((candidate) => candidate !== "data:,")) {
      expect(address).toMatch(/^\/api\/docs\//);
      const asset = await t.app.inject(address);
      expect(asset.statusCode, address).toBe(200);
      expect(asset.body.length, address).toBeGreaterThan(50);
    }
    const script = await t.app.inject("/api/docs/start.js");
    expect(page.body + script.body).not.toMatch(/https?:|\/\/\w/);
    expect(script.body).toContain('url: "/api/openapi.json"');
    expect(script.body).toContain("validatorUrl: null");
  });

  test("is where the other documentation address leads", async () => {
    await using t = testHttpApp({ routes });
    const response = await t.app.inject("/api/redoc");
    expect([response.statusCode, response.headers["location"]]).toEqual([302, "/api/docs"]);
  });

  test("is open to callers without credentials", async () => {
    await using t = testHttpApp({
      routes,
      api: {
        resolveScope: () => {
          throw new Error("must not be asked");
        },
      },
    });
    expect((await t.app.inject("/api/docs")).statusCode).toBe(200);
    expect((await t.app.inject("/api/openapi.json")).statusCode).toBe(200);
  });
});

describe("the scope", () => {
  test.each(["at once", "later"])("is resolved %s, before the handler runs", async (when) => {
    let asked = 0;
    await using t = testHttpApp({
      api: {
        resolveScope: (request) => {
          asked += 1;
          const scope = testScope(request.id);
          return when === "at once" ? scope : Promise.resolve(scope);
        },
      },
      routes: (api) => {
        api.get("/scope", async (request) => request.scope);
      },
    });
    const response = await t.app.inject({ url: "/api/scope", headers: { "x-request-id": "r1" } });
    expect(response.json()).toEqual(testScope("r1"));
    expect(asked).toBe(1);
  });

  test("that cannot be resolved ends the request", async () => {
    await using t = testHttpApp({
      api: { resolveScope: () => Promise.reject(new Error("no")) },
      routes: (api) => {
        api.get("/scope", async () => "reached");
      },
    });
    expect((await t.app.inject("/api/scope")).statusCode).toBe(500);
  });
});

test("two APIs stand side by side, each with its own document and manners", async () => {
  await using t = testHttpApp({ routes });
  mountApi(
    t.app,
    {
      prefix: "/other/api",
      title: "Other",
      version: "2",
      malformedJsonStatus: 400,
      resolveScope: (request) => testScope(request.id),
    },
    (api) => {
      const Thing2 = Type.Object({ colour: Type.String() }, { $id: "Thing" });
      api.post(
        "/things",
        { schema: { body: Thing2, operationId: "paint", response: { 200: Type.Null() } } },
        async () => null,
      );
    },
  );
  const request = {
    method: "POST",
    payload: "{",
    headers: { "content-type": "application/json" },
  } as const;
  expect((await t.app.inject({ ...request, url: "/other/api/things" })).statusCode).toBe(400);
  expect((await t.app.inject({ ...request, url: "/api/things" })).statusCode).toBe(422);
  const document: Document = (await t.app.inject("/other/api/openapi.json")).json();
  expect(Object.keys(document.paths)).toEqual(["/things"]);
});
