import { expect, test } from "vitest";
import { createMetrics } from "../metrics/metrics.ts";
import type { Scope } from "../scope/scope.ts";
import { deferred } from "../testing/deferred.ts";
import { testHttpApp } from "../testing/test-http-app.ts";
import { until } from "../testing/until.ts";
import { FairShare, type FairShareLimits } from "./fair-share.ts";
import { installFairShare } from "./install-fair-share.ts";

const NONE: FairShareLimits = {
  perKey: 0,
  perWorkspace: 0,
  expensivePerKey: 0,
  expensivePerWorkspace: 0,
};

const scopeOf = (credentialId: string, workspaceId = "w1"): Scope => ({
  workspaceId,
  credentialId,
  caller: { kind: "user", id: "u1" },
  requestId: "r",
});

function shares(limits: Partial<FairShareLimits>) {
  let now = 0;
  const share = new FairShare({ ...NONE, ...limits }, () => now);
  return {
    share,
    pass: (ms: number) => {
      now += ms;
    },
    /** How many requests of so many units are let in at once. */
    countOf: (scope: Scope, units = 1): number => {
      let count = 0;
      while (count < 1_000_000 && share.take(scope, units) === null) count += 1;
      return count;
    },
  };
}

test("a key may burst half a minute's share, and then proceeds at the refill rate", () => {
  const { share, pass, countOf } = shares({ perKey: 10 });
  expect(countOf(scopeOf("a"))).toBe(300);
  pass(1000);
  expect(countOf(scopeOf("a"))).toBe(10);
  const refusal = share.take(scopeOf("a"), 1);
  expect(refusal).toMatchObject({ code: "too_many_requests", retryAfterSeconds: 1 });
  expect(refusal?.message).toBe(
    "This key has used its share of the server, 10 units a second (ORCHESTRATOR_FAIR_SHARE_PER_KEY): try again in 1 s",
  );
});

test("one key does not use up the share of another, until their workspace's share is used up", () => {
  const { share, countOf } = shares({ perKey: 10, perWorkspace: 20 });
  expect(countOf(scopeOf("a"))).toBe(300);
  expect(countOf(scopeOf("b"))).toBe(300);
  expect(share.take(scopeOf("c"), 1)?.message).toMatch(/^This workspace has used its share/);
  expect(countOf(scopeOf("d", "w2"))).toBe(300);
});

test("costlier requests use up a share sooner, and a debt delays the next request", () => {
  const { share, pass, countOf } = shares({ perKey: 10 });
  expect(countOf(scopeOf("a"), 20)).toBe(15);
  share.charge(scopeOf("a"), 100);
  expect(share.take(scopeOf("a"), 1)).toMatchObject({ retryAfterSeconds: 11 });
  pass(11_000);
  expect(share.take(scopeOf("a"), 1)).toBeNull();
});

test("expensive requests are counted by key and by workspace for as long as they are under way", () => {
  const { share } = shares({ expensivePerKey: 2, expensivePerWorkspace: 3 });
  const first = share.begin(scopeOf("a"));
  share.begin(scopeOf("a"));
  expect(share.begin(scopeOf("a"))).toMatchObject({
    code: "too_many_requests",
    message: expect.stringContaining("This key has 2 expensive requests under way"),
  });
  share.begin(scopeOf("b"));
  expect(share.begin(scopeOf("c"))).toMatchObject({
    message: expect.stringContaining("This workspace has 3 expensive requests under way"),
  });
  expect(share.begin(scopeOf("d", "w2"))).toBeTypeOf("function");
  if (typeof first === "function") {
    first();
    first();
  }
  expect(share.begin(scopeOf("c"))).toBeTypeOf("function");
  expect(share.begin(scopeOf("c"))).not.toBeTypeOf("function");
});

function server(limits: Partial<FairShareLimits>) {
  const answer = deferred();
  const metrics = createMetrics();
  const logged: string[] = [];
  const t = testHttpApp({
    api: { resolveScope: ({ headers }) => scopeOf(String(headers["x-key"])) },
    beforeRoutes: (app) =>
      installFairShare(app, {
        share: new FairShare({ ...NONE, ...limits }, () => 0),
        expensive: (_method, { url }) => (url === "/api/search" ? () => true : null),
        log: { warn: (...[, line]: unknown[]) => void logged.push(String(line)) },
        metrics,
      }),
    routes: (api) => {
      api.get("/health", { config: { isPublic: true } }, async () => true);
      api.post("/work", async () => ({}));
      api.post("/search", async () => {
        await answer.promise;
        return {};
      });
    },
  });
  const send = async (path: string, key = "a", body: unknown = {}) => {
    const headers = { "content-type": "application/json", "x-key": key };
    const url = `http://127.0.0.1:${await port}/api${path}`;
    return fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  };
  const port = t.listen();
  return { ...t, t, send, port, answer, metrics, logged };
}

test("a key that asks too much is answered 429, while other keys and probes are served", async () => {
  const { t, send, port, metrics, logged } = server({ perKey: 1 });
  await using _ = t;
  let last = await send("/work");
  for (let n = 0; n < 100 && last.status === 200; n += 1) last = await send("/work");
  expect(last.status).toBe(429);
  expect(last.headers.get("retry-after")).toBe("1");
  expect(await last.json()).toEqual({
    detail: expect.stringContaining("ORCHESTRATOR_FAIR_SHARE_PER_KEY"),
    exception_message: expect.stringContaining("This key has used its share"),
  });
  await send("/work");
  expect((await send("/work", "b")).status).toBe(200);
  expect((await fetch(`http://127.0.0.1:${await port}/api/health`)).status).toBe(200);
  expect(await metrics.text()).toMatch(/^http_requests_over_share_total [2-9]$/m);
  expect(logged).toEqual([expect.stringContaining("Requests are refused: This key")]);
});

test("a long body costs more than a short one", async () => {
  const { t, send } = server({ perKey: 1 });
  await using _ = t;
  expect((await send("/work", "a", "x".repeat(1_000_000))).status).toBe(200);
  expect((await send("/work")).status).toBe(429);
});

test("a long body in chunks costs as much as one whose length is said", async () => {
  const { t, port, send } = server({ perKey: 1 });
  await using _ = t;
  const answer = await fetch(`http://127.0.0.1:${await port}/api/work`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-key": "a" },
    body: new Blob([JSON.stringify("x".repeat(1_000_000))]).stream(),
    duplex: "half",
  });
  expect(answer.status).toBe(200);
  expect((await send("/work")).status).toBe(429);
});

test("an expensive request beyond the bound is refused until one before it is answered", async () => {
  const { t, send, answer } = server({ expensivePerKey: 1 });
  await using _ = t;
  const first = send("/search");
  await until(async () => expect((await send("/search")).status).toBe(429));
  expect((await send("/work")).status).toBe(200);
  answer.resolve();
  expect((await first).status).toBe(200);
  await until(async () => expect((await send("/search")).status).toBe(200));
});

test("an expensive request whose client has gone makes room for the next", async () => {
  const { t, port, send, answer } = server({ expensivePerKey: 1 });
  await using _ = t;
  const gone = new AbortController();
  const headers = { "content-type": "application/json", "x-key": "a" };
  const url = `http://127.0.0.1:${await port}/api/search`;
  const first = fetch(url, { method: "POST", headers, body: "{}", signal: gone.signal });
  first.catch(() => {});
  await until(async () => expect((await send("/search")).status).toBe(429));
  gone.abort();
  answer.resolve();
  await until(async () => expect((await send("/search")).status).toBe(200));
});
