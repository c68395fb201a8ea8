import { expect, test } from "vitest";
import { testHttpApp } from "../testing/test-http-app.ts";

test("routes get the hooks that were added after them, as they do one by one", async () => {
  await using t = testHttpApp({
    routes: (api) => {
      api.get("/early", (_request, reply) => reply.send({ seen: reply.getHeader("x-late") }));
      api.addHook("onRequest", (_request, reply, done) => {
        reply.header("x-late", "yes");
        done();
      });
      api.register((nested, _options, done) => {
        nested.get("/nested", (_request, reply) => reply.send({ seen: reply.getHeader("x-late") }));
        done();
      });
    },
  });
  for (const url of ["/api/early", "/api/nested"]) {
    const answer = await t.app.inject({ url });
    expect(answer.json()).toEqual({ seen: "yes" });
  }
});

test("a part that cannot be registered keeps the server from starting", async () => {
  await using t = testHttpApp({
    routes: (api) => {
      api.get("/fine", () => ({}));
      api.register((_nested, _options, done) => {
        done(new Error("no such part"));
      });
      api.get("/also-fine", () => ({}));
    },
  });
  await expect(t.app.ready()).rejects.toThrow("no such part");
});
