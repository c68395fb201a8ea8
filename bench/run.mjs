// npm run bench: what a request costs, beside the least it could cost, measured in the same minute.
import { readFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { accountsText, measureAccounts } from "./accounts.mjs";
import { measureAttacks } from "./attack/attack.mjs";
import { attacksMarkdown, attacksText } from "./attack/report.mjs";
import { chooseAttacks } from "./attack/table.mjs";
import { changeText, chooseChanged, measureChange } from "./change.mjs";
import { compareWithFloor, TARGET } from "./compare.mjs";
import { measureEvents } from "./events.mjs";
import { eventsText } from "./events-report.mjs";
import { measureGrowth } from "./growth.mjs";
import { measurePeers, peersText } from "./peers.mjs";
import { comparisonText, growthText } from "./report.mjs";
import { measureRunners, runnersText } from "./runners.mjs";
import { chooseOperations, compareRuns, GROWTH_TARGET } from "./runs.mjs";
import { runsText } from "./runs-report.mjs";
import { measureSdk, sdkText } from "./sdk.mjs";
import { measureUptime } from "./uptime.mjs";
import { uptimeText } from "./uptime-report.mjs";
import { measureWorkers, workersText } from "./workers.mjs";

const HELP = `npm run bench -- [runs|events|workers|runners|peers|sdk|uptime|accounts|attack|change] [options]
  runs             instead of variables: flow runs, beside a floor and another server
  events           instead: events taken in, and the time until an automation acts
  workers          instead: polls of many workers, claims, and the slots of a limit
  runners          instead: flows through a worker, in warm runners and in a process for each run
  peers            instead: three durable steps on PostgreSQL, beside DBOS and graphile-worker, which npm installs for it
  sdk              instead: flows of no-op tasks, beside the same flows of another client at its own server
  uptime           instead: checks of monitors, beside a bare client; windows of 10 × --seconds
  accounts         instead: what the check of a key costs, and what other workspaces do
  attack           instead: how long health checks wait while a caller asks for too much
  change           instead: what ordinary requests cost beside the version in --checkout
  --seconds <n>    length of one measurement (default 1.5; with attack 5, with change 0.7)
  --rounds <n>     how often each is repeated, in turn; at least 3 (default 5; with change 6)
  --postgres       also on PostgreSQL: a server of its own, or the one in BENCH_POSTGRES_URL
  --rows <list>    instead: how cost grows with the data, for example 1k,100k
                   with runs: how many there are (default 1k,100k)
                   with uptime: how long questions take with so many results, for example 1m,10m
                   with accounts: how many workspaces there are (default 1,100,1k)
  --peer <file>    with runs and sdk: a prefect or python executable, or none (default: prefect, if it is on the PATH)
  --only <list>    with runs: these operations alone, for example get,create,life
                   with uptime: the loads that have this in their name, for example hang
                   with attack: these attacks, for example idle,pattern
                   with change: these requests, for example get,create
  --database <db>  with attack and change: sqlite or postgresql alone (default: both)
  --checkout <dir> the built checkout of another version; with attack: to be measured in place of this one
  --before <file>  with attack: also Markdown tables beside what an earlier run has written with --json
  --json           one JSON document instead of tables
`;

const SUBJECTS = {
  variables: benchVariables,
  runs: benchRuns,
  events: benchEvents,
  workers: benchWorkers,
  runners: benchRunners,
  peers: benchPeers,
  sdk: benchSdk,
  uptime: benchUptime,
  accounts: benchAccounts,
  attack: benchAttack,
  change: benchChange,
};
const SECONDS = { attack: "5", change: "0.7" };
const ROUNDS = { change: "6" };
const DATABASES = { sqlite: "SQLite", postgresql: "PostgreSQL" };

const { values, subject } = readArguments({
  options: {
    seconds: { type: "string" },
    rounds: { type: "string" },
    postgres: { type: "boolean", default: false },
    rows: { type: "string" },
    peer: { type: "string" },
    only: { type: "string" },
    database: { type: "string" },
    checkout: { type: "string" },
    before: { type: "string" },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
  allowPositionals: true,
});

if (values.help) process.stdout.write(HELP);
else await main();

async function main() {
  const options = {
    seconds: positive("--seconds", values.seconds ?? SECONDS[subject] ?? "1.5"),
    rounds: positive("--rounds", values.rounds ?? ROUNDS[subject] ?? "5"),
    postgres: values.postgres,
    sizes: values.rows
      ?.split(",")
      .map((text) => positive("--rows", text.replace(/k$/i, "000").replace(/m$/i, "000000"))),
    machine: describeMachine(),
    onProgress: (text) => process.stderr.write(`  ${text}\n`),
  };
  const { result, text } = await SUBJECTS[subject](options);
  console.log(
    values.json ? JSON.stringify({ ...options, ...result }) : `\n${options.machine}\n${text}\n`,
  );
  if (hasErrors(result)) process.exitCode = 1;
}

async function benchVariables(given) {
  const options = { ...given, rounds: Math.max(3, given.rounds), target: TARGET };
  const grows = options.sizes !== undefined;
  const result = await (grows ? measureGrowth(options) : compareWithFloor(options));
  return { result, text: grows ? growthText(result, options) : comparisonText(result, options) };
}

async function benchRuns({ sizes = [1000, 100_000], ...given }) {
  const operations = orRefuse(() => chooseOperations(values.only));
  const options = { ...given, sizes, operations, peer: values.peer, growthTarget: GROWTH_TARGET };
  const result = await compareRuns(options);
  return { result, text: runsText(result, options) };
}

async function benchEvents(options) {
  const result = await measureEvents(options);
  return { result, text: eventsText(result, options) };
}

async function benchWorkers(options) {
  const result = await measureWorkers(options);
  return { result, text: workersText(result) };
}

async function benchRunners(options) {
  const result = await measureRunners(options);
  return { result, text: runnersText(result) };
}

async function benchPeers(options) {
  const result = await measurePeers(options);
  return { result, text: peersText(result) };
}

async function benchSdk(given) {
  const result = await measureSdk({ ...given, peer: values.peer });
  return { result, text: sdkText(result) };
}

async function benchUptime(given) {
  const options = { ...given, only: values.only };
  const result = await measureUptime(options);
  return { result, text: uptimeText(result, options) };
}

async function benchAccounts({ sizes = [1, 100, 1000], ...given }) {
  const options = { ...given, sizes };
  const result = await measureAccounts(options);
  return { result, text: accountsText(result, options) };
}

async function benchAttack(given) {
  const attacks = orRefuse(() => chooseAttacks(values.only));
  const options = { ...given, attacks, databases: databases(), checkout: values.checkout };
  const before = values.before && orRefuse(() => JSON.parse(readFileSync(values.before, "utf8")));
  const result = await measureAttacks(options);
  const text = attacksText(result, options);
  return { result, text: before ? `${text}\n${attacksMarkdown(result, before)}` : text };
}

async function benchChange(given) {
  if (values.checkout === undefined) refuse("--checkout says which version to compare with");
  const operations = orRefuse(() => chooseChanged(values.only));
  const options = { ...given, operations, databases: databases(), checkout: values.checkout };
  const result = await measureChange(options);
  return { result, text: changeText(result, options) };
}

function databases() {
  const { database } = values;
  if (database === undefined) return Object.values(DATABASES);
  if (Object.hasOwn(DATABASES, database)) return [DATABASES[database]];
  return refuse(`--database is sqlite or postgresql, not ${database}`);
}

/** The load says how far absolute numbers can be trusted; ratios suffer less. */
function describeMachine() {
  const load = loadavg()[0].toFixed(1);
  return `${availableParallelism()} × ${cpus()[0]?.model.trim()}, Node ${process.versions.node}, load before ${load}`;
}

function readArguments(expected) {
  const read = orRefuse(() => parseArgs(expected));
  const [subject = "variables", ...rest] = read.positionals;
  if (Object.hasOwn(SUBJECTS, subject) && rest.length === 0) return { ...read, subject };
  return refuse(`There is no benchmark of ${read.positionals.join(" ")}`);
}

function orRefuse(task) {
  try {
    return task();
  } catch (error) {
    return refuse(error.message);
  }
}

function refuse(reason) {
  console.error(`${reason}\n\n${HELP}`);
  process.exit(2);
}

function positive(name, text) {
  const value = Number(text);
  if (value > 0 && Number.isFinite(value)) return value;
  console.error(`${name} takes numbers above zero, and this is ${JSON.stringify(text)}`);
  process.exit(2);
}

function hasErrors({ tables, operations, engines }) {
  const rows = [
    ...(tables ?? []).flatMap(({ rows }) => rows),
    ...(operations ?? []).flatMap(({ cells }) => cells),
    ...(engines ?? []).flatMap(({ rows, operations }) => rows ?? operations ?? []),
  ];
  const hasAny = (found) => Object.keys(found ?? {}).length > 0;
  return rows.some(
    ({ role, errors, wrong }) => role !== "peer" && (hasAny(errors) || hasAny(wrong)),
  );
}
