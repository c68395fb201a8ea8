import { randomUUID } from "node:crypto";
import { join } from "node:path";
import {
  closeHttpApp,
  createHttpApp,
  createLeaseKeeper,
  createLogger,
  createMetrics,
  createSupervisor,
  type HttpApp,
  type LeaseKeeper,
  type Logger,
  type Metrics,
  mountMetrics,
  observeEventLog,
  observeLoops,
  observeWrites,
  openKeyring,
  type ServiceHost,
  type Supervisor,
  soleHolder,
  systemClock,
  systemIds,
} from "@orchestrator/kernel";
import { prepareDataFolder } from "./data-folder.ts";
import { assertPortIsFree, listen } from "./listen.ts";
import {
  databaseUrl,
  isEmbedded,
  openProgramDatabase,
  type ProgramDatabase,
} from "./program-database.ts";
import { createServices, migrationsOf } from "./services.ts";
import type { ProgramSettings } from "./settings.ts";
import { serveStartPage } from "./start-page.ts";
import { VERSION } from "./version.ts";

/** A dead replica's loops are taken over after at most this long. */
const LEASE_SECONDS = 5;

export interface RunningServer {
  /** Where it listens, such as http://127.0.0.1:4200. */
  readonly url: string;
  /** Where its data is, fit to be shown. */
  readonly database: string;
  /** Stops accepting, finishes what is in flight, closes the database. */
  readonly stop: () => Promise<void>;
}

/**
 * Makes one process of the services asked for. What can go wrong is tried in the order in which it
 * leaves nothing behind: the port, the database, then the files.
 */
export async function startServer(settings: ProgramSettings): Promise<RunningServer> {
  const { host, port } = settings.server;
  const log = createLogger({ ...settings.log, name: "server" });
  const metrics = createMetrics();
  await assertPortIsFree(host, port);
  if (isEmbedded(databaseUrl(settings))) await prepareDataFolder(settings.home);
  const database = await openProgramDatabase({
    settings,
    migrations: migrationsOf(settings.server.services),
    stats: observeWrites(metrics),
    log,
  });
  try {
    return await assemble(settings, { database, log, metrics });
  } catch (error) {
    await database.close();
    throw error;
  }
}

interface Foundation {
  readonly database: ProgramDatabase;
  readonly log: Logger;
  readonly metrics: Metrics;
}

async function assemble(
  settings: ProgramSettings,
  { database, log, metrics }: Foundation,
): Promise<RunningServer> {
  await prepareDataFolder(settings.home);
  openKeyring({ folder: join(settings.home, "secrets"), secretKey: settings.secrets.key });
  const { db } = database;
  let supervisor: Supervisor | undefined;
  const serviceHost: ServiceHost = {
    db,
    clock: systemClock,
    ids: systemIds(systemClock),
    log,
    version: VERSION,
    loopHealth: () => supervisor?.health() ?? [],
  };
  const services = createServices(serviceHost, settings);
  const { bodyLimit, corsOrigins } = settings.server;
  const app = createHttpApp({ log, metrics, limits: { bodyBytes: bodyLimit }, corsOrigins });
  for (const service of services) service.mount(app);
  mountMetrics(app, metrics);
  serveStartPage(app, { version: VERSION, services: settings.server.services });

  supervisor = createSupervisor(
    services.flatMap(({ loops }) => loops),
    {
      leases: createLeases(settings, { database, log, metrics }),
      nudges: db.nudges,
      log,
      observer: observeLoops(metrics, () => supervisor?.health() ?? []),
    },
  );
  observeEventLog(metrics, db);
  const url = await listen(app, settings.server);
  supervisor.start();
  return { url, database: db.location, stop: () => stop({ app, supervisor, database, settings }) };
}

function createLeases(settings: ProgramSettings, { database, log }: Foundation): LeaseKeeper {
  const holder = randomUUID();
  if (isEmbedded(databaseUrl(settings))) return soleHolder(holder);
  return createLeaseKeeper({ db: database.db, holder, log, ttlSeconds: LEASE_SECONDS });
}

interface Parts {
  readonly app: HttpApp;
  readonly supervisor: Supervisor | undefined;
  readonly database: ProgramDatabase;
  readonly settings: ProgramSettings;
}

async function stop({ app, supervisor, database, settings }: Parts): Promise<void> {
  await closeHttpApp(app, settings.server.stopTimeout);
  await supervisor?.stop();
  await database.close();
}
