import { type Word, word } from "../../word.ts";

const alert = () => import("./alert.ts");
const apply = () => import("./apply.ts");
const change = () => import("./change.ts");
const check = () => import("./check.ts");
const exportModule = () => import("./export.ts");
const history = () => import("./history.ts");
const read = () => import("./read.ts");
const types = () => import("./types.ts");

export const MONITOR: readonly Word[] = [
  word("ls", "List monitors and how their targets are", async () =>
    (await read()).listMonitorsCommand(),
  ),
  word("inspect", "Show a monitor, its secrets masked", async () =>
    (await read()).inspectMonitorCommand(),
  ),
  word("create", "Watch a service", async () => (await change()).createMonitorCommand()),
  word("update", "Change how a service is watched; what is not given stays", async () =>
    (await change()).updateMonitorCommand(),
  ),
  word("pause", "Stop checking a service", async () =>
    (await change()).switchMonitorCommand(false),
  ),
  word("resume", "Check a service again", async () => (await change()).switchMonitorCommand(true)),
  word(
    "check",
    "Check monitors now and show what came out; exit code 1 when one is down",
    async () => (await check()).checkMonitorsCommand(),
  ),
  word(
    "test",
    "Check an address once, without keeping a monitor; exit code 1 when it is down",
    async () => (await check()).testMonitorCommand(),
  ),
  word("types", "List the types of checks that the server has", async () =>
    (await types()).listCheckTypesCommand(),
  ),
  word("results", "Show what checks found, the newest first", async () =>
    (await history()).listResultsCommand(),
  ),
  word("incidents", "Show when services were down or degraded, the latest first", async () =>
    (await history()).listIncidentsCommand(),
  ),
  word("acknowledge", "Say that you know of an incident", async () =>
    (await history()).acknowledgeIncidentCommand(),
  ),
  word("stats", "Show the uptime and the response times of a service", async () =>
    (await history()).monitorStatsCommand(),
  ),
  word(
    "alert",
    "Be told when services go down and come back; asked for again, it is written anew",
    async () => (await alert()).createMonitorAlertCommand(),
  ),
  word(
    "export",
    "Write all that is watched as one document, which `monitor apply` takes",
    async () => (await exportModule()).exportMonitorsCommand(),
  ),
  word(
    "apply",
    "Make monitors, maintenance windows and status pages those of a file; applied again, it changes nothing",
    async () => (await apply()).applyMonitorsCommand(),
  ),
  word("delete", "Delete a monitor with its history", async () =>
    (await change()).deleteMonitorCommand(),
  ),
];
