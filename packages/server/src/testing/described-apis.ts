// The APIs of a server as they are mounted: their documents, and the routes that these describe.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { accountedDatabase } from "@orchestrator/accounts";
import { createComputePool } from "@orchestrator/kernel/compute";
import { createHttpApp, type MountedApi } from "@orchestrator/kernel/http";
import { createLogger, createMetrics } from "@orchestrator/kernel/log";
import { systemClock, systemIds } from "@orchestrator/kernel/pure";
import { noQuotas } from "@orchestrator/kernel/scope";
import { openKeyring } from "@orchestrator/kernel/secrets";
import { ampleDisk, openDatabase } from "@orchestrator/kernel/storage";
import { copyMigratedFile } from "@orchestrator/kernel/testing";
import { createGate } from "../gate.ts";
import { createServices, migrationsOf } from "../services.ts";
import { programSettings } from "../settings.ts";
import { ACCOUNTS_MODE } from "./guarded-server.ts";

export interface DescribedApi {
  readonly title: string;
  readonly document: ReturnType<MountedApi["document"]>;
  /**
   * The schema by which the server judges the body of an operation, given as `POST /variables/`.
   */
  readonly bodySchema: (operation: string) => Readonly<Record<string, unknown>>;
}

export async function describedApis(dialect: string): Promise<DescribedApi[]> {
  const home = await mkdtemp(join(tmpdir(), "orchestrator-documents-"));
  const settings = programSettings.read({
    env: { ...ACCOUNTS_MODE, ORCHESTRATOR_HOME: home, ORCHESTRATOR_SERVER_DIALECT: dialect },
  });
  const { services, authMode } = settings.server;
  const file = join(home, "orchestrator.db");
  await copyMigratedFile(file, migrationsOf(services, authMode));
  const log = createLogger({ level: "silent", format: "json", name: "test" });
  const stats = { onCommit: () => {} };
  const opened = openDatabase({ url: `sqlite:${file}`, maxConnections: 1, stats, log });
  const clock = systemClock;
  const db = accountedDatabase(opened, { clock, settings: settings.quotas });
  const compute = createComputePool();
  const metrics = createMetrics();
  const app = createHttpApp({ log, metrics });
  const schemas = new Map<string, unknown>();
  app.addHook("onRoute", ({ method, url, schema }) => {
    for (const name of [method].flat()) schemas.set(`${name} ${url}`, schema?.body);
  });
  const host = {
    db,
    clock,
    ids: systemIds(clock),
    log,
    compute,
    quotas: noQuotas,
    disk: ampleDisk,
  };
  const mounted = createServices(
    {
      ...host,
      keyring: openKeyring({ folder: "", secretKey: "07".repeat(32) }),
      gate: createGate(settings, { db, clock }),
      version: "0.0.0-test",
      loopHealth: () => [],
      takesRequests: true,
    },
    settings,
  ).map((service) => service.mount(app));
  await app.ready();
  const apis = mounted.map((api) => describe(api.document(), schemas));
  await app.close();
  metrics.close();
  await compute.close();
  await db.close();
  await rm(home, { recursive: true });
  return apis;
}

function describe(document: DescribedApi["document"], schemas: Map<string, unknown>): DescribedApi {
  const { info, servers } = document as unknown as {
    readonly info: { readonly title: string };
    readonly servers: readonly [{ readonly url: string }];
  };
  return {
    title: info.title,
    document,
    bodySchema: (operation) => {
      const [method = "", path = ""] = operation.split(" ");
      const route = `${method} ${servers[0].url}${path.replace(/\{(\w+)\}/g, ":$1")}`;
      const schema = schemas.get(route);
      if (schema === undefined) throw new Error(`There is no route ${route} that takes a body`);
      return schema as Readonly<Record<string, unknown>>;
    },
  };
}
