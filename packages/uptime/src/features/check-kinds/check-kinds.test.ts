import type { CheckKind } from "@orchestrator/contract";
import { expect, test } from "vitest";
import { CHECKS } from "../../checks/registry.ts";
import { describeEachUptimeApi } from "../../testing.ts";

const optionsOf = ({ schema }: CheckKind): string[] => Object.keys(schema["properties"] as object);

describeEachUptimeApi("the types of checks", (open) => {
  test("are those that the server can run, each with a schema, defaults and a form", async () => {
    await using api = await open();
    const kinds = (await api.get("/checks")).body as readonly CheckKind[];
    expect(kinds.map(({ type }) => type)).toEqual(Object.keys(CHECKS));
    for (const kind of kinds) {
      const options = optionsOf(kind);
      expect(options).toEqual(expect.arrayContaining(Object.keys(kind.defaults)));
      // A token is made by the server.
      const asked = options.filter((option) => option !== "type" && option !== "token");
      expect(kind.fields.map(({ key }) => key).sort()).toEqual(asked.sort());
    }
  });

  test("have defaults and a first form that can be saved as they are", async () => {
    await using api = await open();
    const kinds = (await api.get("/checks")).body as readonly CheckKind[];
    for (const { type, defaults, prefill } of kinds)
      for (const check of [prefill, { type, ...defaults }]) {
        const body = { name: type, url: "https://shop.example.com", pipeline: [check] };
        expect((await api.post("/monitors", { ...body, enabled: false })).status).toBe(201);
      }
  });

  test("are told to nobody who is not logged in", async () => {
    await using api = await open();
    expect((await api.request("GET", "/checks", { isAnonymous: true })).status).toBe(401);
  });
});
