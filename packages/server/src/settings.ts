import { totalmem } from "node:os";
import { join } from "node:path";
import {
  accountsSettings,
  auditSettings,
  limitSettings,
  quotaSettings,
} from "@orchestrator/accounts";
import { fairShareSettings, hostNames, trustedProxies } from "@orchestrator/kernel/http";
import { LOG_FORMATS, LOG_LEVELS } from "@orchestrator/kernel/log";
import { authModeSetting } from "@orchestrator/kernel/scope";
import { secretKeys } from "@orchestrator/kernel/secrets";
import {
  byteSizeBetween,
  choice,
  choices,
  defineSettings,
  durationBetween,
  type Env,
  folder,
  integer,
  port,
  type SettingValues,
  setting,
  textType,
  url,
  userHomeFolder,
  webOrigins,
} from "@orchestrator/kernel/settings";
import { DIALECT_NAMES, orchestratorSettings } from "@orchestrator/orchestrator";
import { uptimeSettings } from "@orchestrator/uptime";

const KIB = 1024;
const MIB = KIB * KIB;
/** What the machine has, or as much of it as the process may use. */
const MEMORY = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);

const between = (value: number, least: number, most: number): number =>
  Math.floor(Math.min(Math.max(value, least), most));

const SERVICE_NAMES = ["orchestrator", "uptime"] as const;
export type ProgramServiceName = (typeof SERVICE_NAMES)[number];

const ROW_SECURITY = ["auto", "required", "off"] as const;

/** Every setting of the program, service by service. */
export const programSettings = defineSettings({
  home: setting({
    name: "ORCHESTRATOR_HOME",
    type: folder,
    default: (env: Env) => join(userHomeFolder(env), ".orchestrator"),
    defaultText: "~/.orchestrator",
    summary: "The data folder: the embedded database and the sealing keys.",
  }),
  server: {
    host: setting({
      name: "ORCHESTRATOR_SERVER_HOST",
      type: textType,
      default: "127.0.0.1",
      summary:
        "The address to listen on. Any address but a loopback address opens the server to the network.",
    }),
    port: setting({
      name: "ORCHESTRATOR_SERVER_PORT",
      type: port,
      default: 4200,
      summary: "The port to listen on; 0 takes a free one.",
    }),
    services: setting({
      name: "ORCHESTRATOR_SERVER_SERVICES",
      type: choices(SERVICE_NAMES),
      default: SERVICE_NAMES,
      summary: "Which services this process runs.",
    }),
    dialect: setting({
      name: "ORCHESTRATOR_SERVER_DIALECT",
      type: choice(DIALECT_NAMES),
      default: "orchestrator",
      summary:
        "The dialect of the orchestration API: `orchestrator` as its document says, `prefect` as Prefect's clients expect.",
    }),
    authMode: authModeSetting,
    authString: setting({
      name: "ORCHESTRATOR_SERVER_AUTH_STRING",
      type: textType,
      secret: true,
      summary:
        "The credentials of mode `password`, usually `user:password`: sent as HTTP Basic, or as the token of a websocket.",
    }),
    bodyLimit: setting({
      name: "ORCHESTRATOR_SERVER_BODY_LIMIT",
      type: byteSizeBetween(KIB, 1024 * KIB * KIB),
      default: KIB * KIB,
      summary: "The largest request body that is read.",
    }),
    maxRequestsInFlight: setting({
      name: "ORCHESTRATOR_SERVER_MAX_REQUESTS_IN_FLIGHT",
      type: integer(1, 1_000_000),
      default: () => between(MEMORY / (4 * MIB), 256, 1000),
      defaultText: "one for each 4 MiB of memory, 256 to 1000",
      summary:
        "Requests in progress at once. Further requests are answered with 503. Waiting polls and websockets do not count.",
    }),
    maxBytesInFlight: setting({
      name: "ORCHESTRATOR_SERVER_MAX_BYTES_IN_FLIGHT",
      type: byteSizeBetween(MIB, 1024 * MIB * KIB),
      default: () => between(MEMORY / 64, 32 * MIB, 128 * MIB),
      defaultText: "a 64th of the memory, 32 to 128 MiB",
      summary:
        "Bytes of request bodies in memory at once. Further bodies of more than 16 KiB are answered with 503.",
    }),
    corsOrigins: setting({
      name: "ORCHESTRATOR_SERVER_CORS_ORIGINS",
      type: webOrigins,
      default: [],
      summary: "Origins, besides the server's own, whose web pages may call the APIs.",
    }),
    allowedHosts: setting({
      name: "ORCHESTRATOR_SERVER_ALLOWED_HOSTS",
      type: hostNames,
      summary:
        "Host names that the server answers to, besides IP addresses, localhost, and the names in its other addresses and allowed origins. Other names get 403. Without it, mode `open` answers to no other name, and the other modes to any.",
    }),
    trustedProxies: setting({
      name: "ORCHESTRATOR_SERVER_TRUSTED_PROXIES",
      type: trustedProxies,
      default: [],
      summary:
        "Proxies in front of the server whose X-Forwarded-For is believed. It is used to throttle logins, for limits of an address, and in the audit log.",
    }),
    maxSockets: setting({
      name: "ORCHESTRATOR_SERVER_MAX_SOCKETS",
      type: integer(1, 1_000_000),
      default: 5000,
      summary: "Open websockets at once. Further ones are answered with 503.",
    }),
    maxSocketsPerAddress: setting({
      name: "ORCHESTRATOR_SERVER_MAX_SOCKETS_PER_ADDRESS",
      type: integer(1, 1_000_000),
      default: 1000,
      summary: "Open websockets from one address, which may stand for many clients behind a proxy.",
    }),
    stopTimeout: setting({
      name: "ORCHESTRATOR_SERVER_STOP_TIMEOUT",
      type: durationBetween(0, 600_000),
      default: 30_000,
      summary: "How long requests in progress may take to finish when the server stops.",
    }),
  },
  database: {
    url: setting({
      name: "ORCHESTRATOR_DATABASE_URL",
      type: url(["sqlite", "postgres", "postgresql"]),
      default: "sqlite:",
      summary:
        "`sqlite:` keeps everything in the data folder, `sqlite:/path/to/file.db` in that file, `postgres://…` on a PostgreSQL server.",
    }),
    maxConnections: setting({
      name: "ORCHESTRATOR_DATABASE_MAX_CONNECTIONS",
      type: integer(2, 1000),
      default: 10,
      summary: "PostgreSQL connections of this process.",
    }),
    rowSecurity: setting({
      name: "ORCHESTRATOR_DATABASE_ROW_SECURITY",
      type: choice(ROW_SECURITY),
      default: "auto",
      summary:
        "Row-level security in mode `accounts` on PostgreSQL: `auto` where the database allows it; `required`, or the server does not start; `off`.",
    }),
  },
  disk: {
    warnBelow: setting({
      name: "ORCHESTRATOR_DISK_WARN_BELOW",
      type: integer(0, 100),
      default: 10,
      summary:
        "Percentage of free space on the disk of the embedded database, below which the log, `/api/ready` and the settings page warn. 0 for never.",
    }),
    refuseBelow: setting({
      name: "ORCHESTRATOR_DISK_REFUSE_BELOW",
      type: integer(0, 100),
      default: 3,
      summary:
        "Percentage of free space below which events, logs and artifacts are answered with 507. State changes still succeed. 0 for never.",
    }),
  },
  log: {
    level: setting({
      name: "ORCHESTRATOR_LOG_LEVEL",
      type: choice(LOG_LEVELS),
      default: "warn",
      summary: "The least serious level that is logged.",
    }),
    format: setting({
      name: "ORCHESTRATOR_LOG_FORMAT",
      type: choice(LOG_FORMATS),
      default: "text",
      summary: "Lines of text, or JSON.",
    }),
  },
  secrets: {
    key: setting({
      name: "ORCHESTRATOR_SECRET_KEY",
      type: secretKeys,
      secret: true,
      summary:
        "The sealing key, instead of the key file in the data folder. Older keys may follow, separated by commas.",
    }),
  },
  accounts: accountsSettings,
  audit: auditSettings,
  fairShare: fairShareSettings,
  limits: limitSettings,
  quotas: quotaSettings,
  orchestrator: orchestratorSettings,
  uptime: uptimeSettings,
});

export type ProgramSettings = SettingValues<typeof programSettings.definitions>;
