// The web server of tests. One serves test after test, because building it takes longer than most
// of them.

import { createHttpApp, type HttpApp } from "@orchestrator/kernel/http";
import { createLogger, createMetrics, type Metrics } from "@orchestrator/kernel/log";
import { assertDocumented, proxyOfCurrent, SharedApps } from "@orchestrator/kernel/testing";
import { mountOrchestrator } from "../app.ts";
import type { OrchestratorContext } from "../context.ts";
import { type LeakWatch, wantsSecrets } from "./leaks.ts";

type HttpAppOptions = Parameters<typeof createHttpApp>[0];

/** What is a test's own. */
export interface TestPlace {
  readonly ctx: OrchestratorContext;
  readonly leaks: Pick<LeakWatch, "look">;
}

interface BuiltApp {
  readonly app: HttpApp;
  readonly metrics: Metrics;
}

export interface TestApp extends BuiltApp {
  /** `isIdle` says that no request of the test is under way. */
  readonly release: (isIdle: boolean) => Promise<void>;
}

const shared = new SharedApps<BuiltApp, TestPlace>();

/**
 * An app that another test may have had before; it takes everything from the place of the test that
 * has it now.
 */
export async function borrowApp(place: TestPlace): Promise<TestApp> {
  const { app, giveBack } = await shared.borrow(place.ctx.dialect.name, place, (current) => {
    const ctx = proxyOfCurrent(() => current().ctx);
    const look: LeakWatch["look"] = (text, where) => current().leaks.look(text, where);
    const destination = { write: (line: string) => look(line, "a line of the log") };
    const log = createLogger({ level: "debug", format: "json", name: "test", destination });
    return build({ ctx, leaks: { look } }, { log });
  });
  return {
    ...app,
    async release(isIdle) {
      if (isIdle) giveBack();
      else await close(app);
    },
  };
}

/** An app that no other test has: for sockets, and for what an app itself remembers. */
export async function ownApp(
  place: TestPlace,
  options: Pick<HttpAppOptions, "socketLimits"> = {},
): Promise<TestApp> {
  const built = await build(place, { log: place.ctx.log, ...options });
  return {
    ...built,
    async release() {
      await close(built);
      place.leaks.look(await built.metrics.text(), "the metrics");
    },
  };
}

async function build(
  { ctx, leaks }: TestPlace,
  options: Omit<HttpAppOptions, "metrics">,
): Promise<BuiltApp> {
  const metrics = createMetrics();
  const app = createHttpApp({ metrics, ...options });
  app.addHook("onSend", (sent, reply, payload, done) => {
    assertDocumented(sent, reply, payload);
    if ((typeof payload === "string" || payload instanceof Uint8Array) && !wantsSecrets(sent))
      leaks.look(payload, `${sent.method} ${sent.url} (${reply.statusCode})`);
    done();
  });
  mountOrchestrator(app, ctx);
  await app.ready();
  return { app, metrics };
}

async function close({ app, metrics }: BuiltApp): Promise<void> {
  await app.close();
  metrics.close();
}
