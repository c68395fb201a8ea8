// npm run bench: what a request costs, beside the least it could cost, measured in the same minute.
import { availableParallelism, cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { compareWithFloor, TARGET } from "./compare.mjs";
import { measureGrowth } from "./growth.mjs";
import { comparisonText, growthText } from "./report.mjs";

const HELP = `npm run bench -- [options]
  --seconds <n>    length of one measurement (default 1.5)
  --rounds <n>     how often each is repeated, in turn; at least 3 (default 5)
  --postgres       also on PostgreSQL: a server of its own, or the one in BENCH_POSTGRES_URL
  --rows <list>    instead: how cost grows with the data, for example 1k,100k
  --json           one JSON document instead of tables
`;

const values = readArguments({
  options: {
    seconds: { type: "string", default: "1.5" },
    rounds: { type: "string", default: "5" },
    postgres: { type: "boolean", default: false },
    rows: { type: "string" },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

if (values.help) process.stdout.write(HELP);
else await main();

async function main() {
  const options = {
    seconds: positive("--seconds", values.seconds),
    rounds: Math.max(3, positive("--rounds", values.rounds)),
    postgres: values.postgres,
    sizes: values.rows
      ?.split(",")
      .map((text) => positive("--rows", text.replace(/k$/i, "000").replace(/m$/i, "000000"))),
    target: TARGET,
    machine: describeMachine(),
    onProgress: (text) => process.stderr.write(`  ${text}\n`),
  };
  const grows = options.sizes !== undefined;
  const result = await (grows ? measureGrowth(options) : compareWithFloor(options));
  const text = grows ? growthText(result, options) : comparisonText(result, options);
  console.log(
    values.json ? JSON.stringify({ ...options, ...result }) : `\n${options.machine}\n${text}\n`,
  );
  if (hasErrors(result)) process.exitCode = 1;
}

/** The load says how far absolute numbers can be trusted; ratios suffer less. */
function describeMachine() {
  const load = loadavg()[0].toFixed(1);
  return `${availableParallelism()} × ${cpus()[0]?.model.trim()}, Node ${process.versions.node}, load before ${load}`;
}

function readArguments(expected) {
  try {
    return parseArgs(expected).values;
  } catch (error) {
    console.error(`${error.message}\n\n${HELP}`);
    return process.exit(2);
  }
}

function positive(name, text) {
  const value = Number(text);
  if (value > 0 && Number.isFinite(value)) return value;
  console.error(`${name} takes numbers above zero, and this is ${JSON.stringify(text)}`);
  process.exit(2);
}

function hasErrors({ tables, operations }) {
  const cells = [
    ...(tables ?? []).flatMap(({ rows }) => rows),
    ...(operations ?? []).flatMap(({ cells }) => cells),
  ];
  return cells.some(({ errors }) => Object.keys(errors).length > 0);
}
