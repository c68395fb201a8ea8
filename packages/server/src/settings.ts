import { totalmem } from "node:os";
import { join } from "node:path";
import {
  accountsSettings,
  auditSettings,
  limitSettings,
  quotaSettings,
} from "@orchestrator/accounts";
import {
  authModeSetting,
  byteSizeBetween,
  choice,
  choices,
  defineSettings,
  durationBetween,
  type Env,
  fairShareSettings,
  folder,
  homeFolder,
  hostNames,
  integer,
  LOG_FORMATS,
  LOG_LEVELS,
  port,
  type SettingValues,
  secretKeys,
  setting,
  text,
  trustedProxies,
  url,
  webOrigins,
} from "@orchestrator/kernel";
import { DIALECT_NAMES, orchestratorSettings } from "@orchestrator/orchestrator";
import { uptimeSettings } from "@orchestrator/uptime";

const KIB = 1024;
const MIB = KIB * KIB;
/** What the machine has, or as much of it as the process may use. */
const MEMORY = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);

const between = (value: number, least: number, most: number): number =>
  Math.floor(Math.min(Math.max(value, least), most));

const SERVICE_NAMES = ["orchestrator", "uptime"] as const;
export type ServiceName = (typeof SERVICE_NAMES)[number];

const ROW_SECURITY = ["auto", "required", "off"] as const;

/** Every setting of the program, service by service. */
export const programSettings = defineSettings({
  home: setting({
    name: "ORCHESTRATOR_HOME",
    type: folder,
    default: (env: Env) => join(homeFolder(env), ".orchestrator"),
    defaultText: "~/.orchestrator",
    summary: "The data folder: the embedded database and the sealing keys.",
  }),
  server: {
    host: setting({
      name: "ORCHESTRATOR_SERVER_HOST",
      type: text,
      default: "127.0.0.1",
      summary:
        "The address to listen on; anything but a loopback address opens the server to the network.",
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
        "How the orchestration API speaks: as its document says, or as the established clients expect.",
    }),
    authMode: authModeSetting,
    authString: setting({
      name: "ORCHESTRATOR_SERVER_AUTH_STRING",
      type: text,
      secret: true,
      summary:
        "What everybody must send in mode `password`, usually `user:password`: as HTTP Basic, or as the token of a websocket.",
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
        "How many requests this process works on at once; further ones are answered 503 at once. Polls that wait and websockets do not count.",
    }),
    maxBytesInFlight: setting({
      name: "ORCHESTRATOR_SERVER_MAX_BYTES_IN_FLIGHT",
      type: byteSizeBetween(MIB, 1024 * MIB * KIB),
      default: () => between(MEMORY / 64, 32 * MIB, 128 * MIB),
      defaultText: "a 64th of the memory, 32 to 128 MiB",
      summary:
        "How much of the bodies of requests this process holds at once; further bodies of more than 16 KiB are answered 503 at once.",
    }),
    corsOrigins: setting({
      name: "ORCHESTRATOR_SERVER_CORS_ORIGINS",
      type: webOrigins,
      default: [],
      summary: "The origins, besides the server's own, whose web pages may call the APIs.",
    }),
    allowedHosts: setting({
      name: "ORCHESTRATOR_SERVER_ALLOWED_HOSTS",
      type: hostNames,
      summary:
        "The host names by which the server answers, besides IP addresses, localhost, and the names in its other addresses and allowed origins; requests for other names get 403. Without it, only those in mode `open`, and any name in the other modes.",
    }),
    trustedProxies: setting({
      name: "ORCHESTRATOR_SERVER_TRUSTED_PROXIES",
      type: trustedProxies,
      default: [],
      summary:
        "The proxies in front of the server, whose X-Forwarded-For says where a request comes from: for the slowing down of logins, the limits per address and the audit log.",
    }),
    maxSockets: setting({
      name: "ORCHESTRATOR_SERVER_MAX_SOCKETS",
      type: integer(1, 1_000_000),
      default: 5000,
      summary: "How many websockets may be open at once; further ones are answered 503.",
    }),
    maxSocketsPerAddress: setting({
      name: "ORCHESTRATOR_SERVER_MAX_SOCKETS_PER_ADDRESS",
      type: integer(1, 1_000_000),
      default: 1000,
      summary:
        "How many of them may come from one address, which may stand for many clients behind a proxy.",
    }),
    stopTimeout: setting({
      name: "ORCHESTRATOR_SERVER_STOP_TIMEOUT",
      type: durationBetween(0, 600_000),
      default: 30_000,
      summary: "How long requests in flight may take to finish when the server is told to stop.",
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
      summary: "How many PostgreSQL connections this process may hold.",
    }),
    rowSecurity: setting({
      name: "ORCHESTRATOR_DATABASE_ROW_SECURITY",
      type: choice(ROW_SECURITY),
      default: "auto",
      summary:
        "In mode `accounts`, whether PostgreSQL itself keeps workspaces apart as well: `auto` where it can, `required` or the server does not start, `off`.",
    }),
  },
  disk: {
    warnBelow: setting({
      name: "ORCHESTRATOR_DISK_WARN_BELOW",
      type: integer(0, 100),
      default: 10,
      summary:
        "The percentage of the disk of the embedded database that has to be free, or the log, `/api/ready` and the settings page warn of it; 0 for never.",
    }),
    refuseBelow: setting({
      name: "ORCHESTRATOR_DISK_REFUSE_BELOW",
      type: integer(0, 100),
      default: 3,
      summary:
        "The percentage that has to be free, or events, logs and artifacts are answered 507, while state changes still go through; 0 for never.",
    }),
  },
  log: {
    level: setting({
      name: "ORCHESTRATOR_LOG_LEVEL",
      type: choice(LOG_LEVELS),
      default: "warn",
      summary: "The least serious lines that are logged.",
    }),
    format: setting({
      name: "ORCHESTRATOR_LOG_FORMAT",
      type: choice(LOG_FORMATS),
      default: "text",
      summary: "Lines for people or JSON for machines.",
    }),
  },
  secrets: {
    key: setting({
      name: "ORCHESTRATOR_SECRET_KEY",
      type: secretKeys,
      secret: true,
      summary:
        "The sealing key: 32 bytes in base64 or hex, instead of the key file in the data folder; older keys may follow, separated by commas.",
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
