import { randomUUID } from "node:crypto";
import { accountedDatabase, quotasOfDatabase } from "@orchestrator/accounts";
import { type ComputePool, createComputePool } from "@orchestrator/kernel/compute";
import { closeHttpApp, createHttpApp, type HttpApp, mountMetrics } from "@orchestrator/kernel/http";
import {
  createLogger,
  createMetrics,
  type Logger,
  type Metrics,
  OutageLog,
  observeEventLog,
  observeLoops,
  observeWrites,
} from "@orchestrator/kernel/log";
import {
  createLeaseKeeper,
  createSupervisor,
  type LeaseKeeper,
  type Supervisor,
  soleHolder,
} from "@orchestrator/kernel/loops";
import { sleep, systemClock, systemIds } from "@orchestrator/kernel/pure";
import type { ServiceHost, StartNotice } from "@orchestrator/kernel/scope";
import { guardBulkWrites, probeWrite } from "@orchestrator/kernel/storage";
import { addressKind } from "@orchestrator/outbound";
import { watchDataDisk } from "./data-disk.ts";
import { checkDataFolder, prepareDataFolder } from "./data-folder.ts";
import { eventRetentionLoop } from "./event-retention.ts";
import { limitToFairShares } from "./fair-shares.ts";
import { checkAuthSettings, createGate } from "./gate.ts";
import { hostNamesOf, ownUrls } from "./host-names.ts";
import { listen, probePort } from "./listen.ts";
import {
  databaseUrl,
  isEmbedded,
  openProgramDatabase,
  type ProgramDatabase,
} from "./program-database.ts";
import { checkProgramKeyring, openProgramKeyring } from "./program-keyring.ts";
import { confineWorkspaces } from "./row-security.ts";
import {
  createServices,
  listServedWorkspaceIds,
  migrationsOf,
  prepareWorkspace,
} from "./services.ts";
import type { ProgramSettings } from "./settings.ts";
import { serveStartPage } from "./start-page.ts";
import { StartupError } from "./startup-error.ts";
import { VERSION } from "./version.ts";
import { serveWebPage } from "./web-page.ts";
import { type WorkerCredentials, workerCredentials } from "./worker-credentials.ts";

/** A dead replica's loops are taken over after at most this long. */
const LEASE_SECONDS = 5;

export interface RunningServer {
  /** Where it listens, such as http://127.0.0.1:4200. */
  readonly url: string;
  /** Whether it is reached from this machine alone. */
  readonly isLocal: boolean;
  /** Where its data is, fit to be shown. */
  readonly database: string;
  /** What was decided at this start and is told only at this one. */
  readonly notices: readonly StartNotice[];
  /** What a worker on this machine is let in with. */
  readonly workerCredentials: () => Promise<WorkerCredentials>;
  /** Stops accepting, finishes what is in flight, closes the database. */
  readonly stop: () => Promise<void>;
}

export interface ServerStartOptions {
  /**
   * Hears of each notice as soon as it is true, as the start may fail or be interrupted afterwards,
   * and nobody is told again.
   */
  readonly tell?: (notice: StartNotice) => void;
}

/**
 * Makes one process of the services asked for. Everything that can be wrong is looked for before
 * anything is changed: the port, the data folder, the keys, the database; only then is its schema
 * touched.
 */
export async function startServerProcess(
  settings: ProgramSettings,
  options: ServerStartOptions = {},
): Promise<RunningServer> {
  const { host, port } = settings.server;
  const isLocal = addressKind(await probePort(host, port)) === "loopback";
  return start(settings, {
    ...options,
    takesRequests: true,
    isLocal,
    open: (app) => listen(app, settings.server),
  });
}

/** Work in the background and no API, to be had beside servers that have one. */
export type BackgroundServices = Pick<RunningServer, "database" | "stop">;

/** Takes part in what the servers of the same database do in the background. */
export async function startBackgroundServices(
  settings: ProgramSettings,
  options: ServerStartOptions = {},
): Promise<BackgroundServices> {
  if (isEmbedded(databaseUrl(settings))) {
    throw new StartupError(
      "A database that is a file belongs to one process, which does the work in the background as well: `orchestrator server start`. Processes of their own for it need PostgreSQL: set ORCHESTRATOR_DATABASE_URL",
    );
  }
  return start(settings, {
    ...options,
    takesRequests: false,
    isLocal: true,
    open: async () => "",
  });
}

interface Opening extends ServerStartOptions {
  readonly takesRequests: boolean;
  /** Whether the doors are reached from this machine alone. */
  readonly isLocal: boolean;
  /** Opens the doors, and answers with where they are. */
  readonly open: (app: HttpApp) => Promise<string>;
}

async function start(settings: ProgramSettings, opening: Opening): Promise<RunningServer> {
  const outage = new OutageLog();
  const log = createLogger({ ...settings.log, name: "server", outage });
  const metrics = createMetrics();
  await checkDataFolder(settings.home);
  checkProgramKeyring(settings);
  checkAuthSettings(settings);
  if (isEmbedded(databaseUrl(settings))) await prepareDataFolder(settings.home);
  const migrations = migrationsOf(settings.server.services, settings.server.authMode);
  const opened = await openProgramDatabase({
    settings,
    migrations,
    stats: observeWrites(metrics),
    log,
  });
  const open = new AbortController();
  const database: ProgramDatabase = {
    db: opened.db,
    close() {
      open.abort();
      return opened.close();
    },
  };
  const probe = () => probeWrite(opened.db, systemIds(systemClock));
  outage.watch({ log, probe, signal: open.signal });
  try {
    await confineWorkspaces(database.db, settings, { migrations, log });
    return await assemble(settings, { database, log, metrics }, opening);
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
  { takesRequests, isLocal, open, tell }: Opening,
): Promise<RunningServer> {
  await prepareDataFolder(settings.home);
  // What is changed is noted with who changed it, and counted.
  const db =
    settings.server.authMode === "accounts"
      ? accountedDatabase(database.db, { clock: systemClock, settings: settings.quotas })
      : database.db;
  const { disk, loops: diskLoops } = await watchDataDisk(settings, log);
  let supervisor: Supervisor | undefined;
  const serviceHost: ServiceHost = {
    db,
    clock: systemClock,
    ids: systemIds(systemClock),
    log,
    keyring: openProgramKeyring(settings),
    gate: createGate(settings, { db, clock: systemClock }),
    quotas: quotasOfDatabase(db),
    disk,
    compute: createComputePool(),
    version: VERSION,
    loopHealth: () => supervisor?.health() ?? [],
    takesRequests,
  };
  const services = createServices(serviceHost, settings);
  const { authMode, services: names, trustedProxies } = settings.server;
  const { bodyLimit, corsOrigins, maxSockets, maxSocketsPerAddress } = settings.server;
  const { maxRequestsInFlight, maxBytesInFlight } = settings.server;
  const app = createHttpApp({
    log,
    metrics,
    limits: {
      bodyBytes: bodyLimit,
      requestsInFlight: maxRequestsInFlight,
      bytesInFlight: maxBytesInFlight,
    },
    socketLimits: { sockets: maxSockets, socketsPerAddress: maxSocketsPerAddress },
    corsOrigins,
    hostNames: hostNamesOf(settings),
    ownUrls: ownUrls(settings),
    trustedProxies,
  });
  limitToFairShares(app, settings, { log, metrics });
  guardBulkWrites(app, disk);
  for (const service of services) service.mount(app);
  mountMetrics(app, metrics, serviceHost.gate);
  if (!serveWebPage(app, { authMode, services: names, clock: systemClock }))
    serveStartPage(app, { version: VERSION, services: names });

  supervisor = createSupervisor(
    [
      ...services.flatMap(({ loops }) => loops),
      ...diskLoops,
      eventRetentionLoop(serviceHost, settings.orchestrator),
    ],
    {
      leases: createLeases(settings, { database, log, metrics }),
      nudges: db.wakeUps,
      log,
      observer: observeLoops(metrics, () => supervisor?.health() ?? []),
    },
  );
  observeEventLog(metrics, db);
  for (const service of services) service.observe?.(metrics);
  const notices: StartNotice[] = [];
  for (const service of services) {
    await service.prepare?.();
    for (const notice of service.notices?.() ?? []) {
      notices.push(notice);
      tell?.(notice);
    }
  }
  for (const workspaceId of await listServedWorkspaceIds(serviceHost))
    await prepareWorkspace(services, workspaceId);
  const url = await open(app);
  supervisor.start();
  return {
    url,
    isLocal,
    database: db.location,
    notices,
    workerCredentials: () => workerCredentials(settings, serviceHost),
    stop: () => stop({ app, supervisor, compute: serviceHost.compute, database, settings, log }),
  };
}

function createLeases(settings: ProgramSettings, { database, log }: Foundation): LeaseKeeper {
  const holder = randomUUID();
  if (isEmbedded(databaseUrl(settings))) return soleHolder(holder);
  return createLeaseKeeper({ db: database.db, holder, log, ttlSeconds: LEASE_SECONDS });
}

interface Parts {
  readonly app: HttpApp;
  readonly supervisor: Supervisor | undefined;
  readonly compute: ComputePool;
  readonly database: ProgramDatabase;
  readonly settings: ProgramSettings;
  readonly log: Logger;
}

/**
 * What is acknowledged is on disk by the time the last request is answered, so a database that says
 * nothing any more is not waited for longer than this.
 */
const LAST_WORDS_MS = 5000;

async function stop({ app, supervisor, compute, database, settings, log }: Parts): Promise<void> {
  await closeHttpApp(app, settings.server.stopTimeout);
  const closed = (async () => {
    await Promise.all([supervisor?.stop(), compute.close()]);
    await database.close();
    return true;
  })();
  const deadline = new AbortController();
  const tooLate = sleep(LAST_WORDS_MS, deadline.signal).then(() => false);
  const isClosed = await Promise.race([closed, tooLate]);
  deadline.abort();
  if (!isClosed) log.warn("The database did not answer in time; its connections are dropped");
}
