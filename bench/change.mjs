// What ordinary requests cost beside another version of the product, measured in turn in the same
// minutes.
import { countErrors, measureInRounds, median, ratio, startLoadProcess } from "./measure.mjs";
import { columns, errorCounts, number } from "./report.mjs";
import { postRequest } from "./requests.mjs";
import { measureIdle, startWithRuns } from "./runs.mjs";
import { OPERATIONS } from "./runs-requests.mjs";

/** Both are as cold as each other, and a comparison should not take an hour. */
const WARM_UP = { warmUpSeconds: 2, mostWarmUps: 1 };
const ROWS = 1000;
/** More than this is worth a look; less is mostly the machine. */
const TOLERATED = 1.05;

const OF_RUNS = OPERATIONS.filter(({ name }) => {
  const left = /^(filter-(state|tag|offset)|count|history|schedules|kept)/;
  return !left.test(name);
});

const CONNECTIONS = 64;

const CHANGED = [
  ...OF_RUNS,
  {
    name: "event",
    title: "one event",
    work: () => writing("204", "/api/events", [event()]),
  },
  {
    name: "schema",
    title: "values against a schema",
    work: () => writing("200", "/api/ui/schemas/validate", { schema: SCHEMA, values: VALUES }),
  },
  {
    name: "template",
    title: "a short template",
    work: () => writing("204", "/api/templates/validate", "{{ flow.name | upper }} is late"),
  },
];

const SCHEMA = {
  type: "object",
  properties: {
    region: { type: "string" },
    replicas: { type: "integer", minimum: 1 },
    tags: { type: "array", items: { type: "string" } },
  },
  required: ["region"],
};
const VALUES = { region: "eu-west-1", replicas: 3, tags: ["bench", "prod"] };

const writing = (expectedStatus, path, content) => ({
  connections: CONNECTIONS,
  expectedStatus,
  requests: [postRequest(path, content)],
});

const event = () => ({
  id: "00000000-0000-4000-8000-000#########",
  occurred: new Date().toISOString(),
  event: "bench.order.moved",
  resource: { "orchestrator.resource.id": "bench.order" },
});

export function chooseChanged(only) {
  const names = CHANGED.map(({ name }) => name);
  const wanted = only?.split(",") ?? names;
  const unknown = wanted.find((name) => !names.includes(name));
  if (unknown === undefined) return CHANGED.filter(({ name }) => wanted.includes(name));
  throw new RangeError(`--only does not know ${unknown}; it knows ${names.join(", ")}`);
}

export async function measureChange({ databases, checkout, operations, ...options }) {
  const engines = [];
  for (const engine of databases) {
    const postgres = engine === "PostgreSQL";
    engines.push({
      engine,
      operations: await onEngine({ ...options, checkout, operations, postgres }),
    });
  }
  return { engines };
}

async function onEngine({ checkout, operations, postgres, rounds, seconds, onProgress }) {
  const stops = [];
  const load = startLoadProcess();
  try {
    const start = async (where) =>
      (await startWithRuns({ rows: ROWS, postgres, stops, checkout: where }))[0];
    const servers = [await start(undefined), await start(checkout)];
    const idle = await measureIdle(servers);
    const results = [];
    for (const { name, title, work } of operations) {
      const cells = servers.map((server) => ({ server, work: work(server.fixture) }));
      // Whoever comes first in a round would always be so.
      const options = { rounds, seconds, ...WARM_UP, idle, alternates: true };
      const [now, before] = await measureInRounds(load, cells, options);
      results.push({ name, title, ...summary(now, before) });
      onProgress(`${postgres ? "PostgreSQL" : "SQLite"}: ${title}`);
    }
    return results;
  } finally {
    load.stop();
    for (const stop of stops.reverse()) await stop();
  }
}

function summary(now, before) {
  const microsOf = (rounds) => median(rounds.map(({ cpuMicros }) => cpuMicros));
  return {
    nowMicros: microsOf(now),
    beforeMicros: microsOf(before),
    nowToBefore: ratio(now, before),
    errors: countErrors([...now, ...before]),
  };
}

export function changeText({ engines }, { rounds, seconds }) {
  const lines = [
    `CPU µs of the server's process per request, median of ${rounds} rounds of ${seconds} s; "dear" is above ${TOLERATED}×`,
  ];
  for (const { engine, operations } of engines) {
    const rows = operations.map(({ title, nowMicros, beforeMicros, nowToBefore, errors }) => [
      title,
      number(nowMicros),
      number(beforeMicros),
      `${nowToBefore.median.toFixed(2)}×`,
      `${nowToBefore.least.toFixed(2)}–${nowToBefore.most.toFixed(2)}`,
      nowToBefore.median > TOLERATED ? "dear" : "",
      errorCounts(errors),
    ]);
    const heading = [engine, "now", "before", "now ÷ before", "least–most", "", "errors"];
    lines.push("", ...columns([heading, ...rows]));
  }
  return lines.join("\n");
}
