import { group, type Word, word } from "../../word.ts";

const database = () => import("./database.ts");
const resealSecrets = () => import("./reseal-secrets.ts");
const retireKeys = () => import("./retire-keys.ts");
const rotateKey = () => import("./rotate-key.ts");
const services = () => import("./services.ts");
const settings = () => import("./settings.ts");
const startServices = () => import("./start-services.ts");
const start = () => import("./start.ts");
const status = () => import("./status.ts");
const stop = () => import("./stop.ts");

export const SERVER: readonly Word[] = [
  word("start", "Start the server; settings come from the environment, flags win", async () =>
    (await start()).startCommand(),
  ),
  word(
    "stop",
    "Stop the servers of this data folder in order, and wait until they are gone",
    async () => (await stop()).stopCommand(),
  ),
  word("status", "Show whether the server is up and well; exit code 1 when it is not", async () =>
    (await status()).statusCommand(),
  ),
  group(
    "services",
    "What the server does in the background",
    [
      word(
        "ls",
        "List the background work of the server that is asked, and how it is doing",
        async () => (await services()).listServicesCommand(),
      ),
      word("start", "Do the background work of a server, without an API, until Ctrl-C", async () =>
        (await startServices()).startServices(),
      ),
    ],
    ["service"],
  ),
  group("database", "Look after the database that the settings name", [
    word("status", "Show where the database is and how far its schema is", async () =>
      (await database()).databaseStatusCommand(),
    ),
    word("upgrade", "Bring the schema up to date, as a start does by itself", async () =>
      (await database()).upgradeDatabaseCommand(),
    ),
    word(
      "downgrade",
      "Say how an older version gets its schema back: steps are only ever taken forward",
      async () => (await database()).downgradeDatabaseCommand(),
    ),
    word("stamp", "Note all steps of the schema as taken, without taking any", async () =>
      (await database()).stampDatabaseCommand(),
    ),
    word(
      "reset",
      "Delete the database file with everything in it; only while no server uses it",
      async () => (await database()).resetDatabaseCommand(),
    ),
  ]),
  word("settings", "Show every setting with its value in force, secrets masked", async () =>
    (await settings()).settingsCommand(),
  ),
  word("rotate-key", "Make a new sealing key; older keys still open what they sealed", async () =>
    (await rotateKey()).rotateKeyCommand(),
  ),
  word(
    "reseal-secrets",
    "Seal everything with the newest key at once; a server that runs does it by itself within a minute",
    async () => (await resealSecrets()).resealSecretsCommand(),
  ),
  word(
    "retire-keys",
    "Remove older sealing keys, once nothing is sealed with them any more",
    async () => (await retireKeys()).retireKeysCommand(),
  ),
];
