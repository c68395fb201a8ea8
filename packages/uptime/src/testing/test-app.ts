// The web server of tests. One serves test after test, because building it takes longer than most
// of them.

import { createHttpApp, type HttpApp } from "@orchestrator/kernel/http";
import { createLogger, createMetrics } from "@orchestrator/kernel/log";
import {
  assertDocumented,
  type BorrowedApp,
  proxyOfCurrent,
  SharedApps,
} from "@orchestrator/kernel/testing";
import { mountUptime } from "../app.ts";
import type { ServiceContext } from "../create-context.ts";

const shared = new SharedApps<HttpApp, ServiceContext>();
const silent = createLogger({ level: "silent", format: "json", name: "test" });

/**
 * An app that another test may have had before; it takes everything from the context of the test
 * that has it now.
 */
export const borrowUptimeApp = (ctx: ServiceContext): Promise<BorrowedApp<HttpApp>> =>
  shared.borrow("uptime", ctx, (current) => buildUptimeApp(proxyOfCurrent(current), silent));

/** An app that no other test has: for real requests, and for what an app itself remembers. */
export async function buildUptimeApp(ctx: ServiceContext, log = ctx.log): Promise<HttpApp> {
  const metrics = createMetrics();
  // Whatever the process lets in, the service itself has to look after its sessions.
  const app = createHttpApp({ log, metrics, corsOrigins: "*" });
  app.addHook("onSend", (sent, reply, payload, done) => {
    assertDocumented(sent, reply, payload);
    done();
  });
  app.addHook("onClose", async () => metrics.close());
  mountUptime(app, ctx);
  await app.ready();
  return app;
}
