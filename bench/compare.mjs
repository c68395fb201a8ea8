// Creating and reading a variable, ours beside the floor.

import { commitStats } from "./commit-stats.mjs";
import { countErrors, measureInRounds, median, ratio, startLoadProcess } from "./measure.mjs";
import { startDatabase } from "./postgres.mjs";
import { createLoad, readLoad } from "./requests.mjs";
import { checkAnswers } from "./same-answers.mjs";
import { readSchema, startFloor, startOurs } from "./servers.mjs";

export const TARGET = 2.5;
const WARM_UP_SECONDS = 1;

export async function compareWithFloor({ seconds, rounds, postgres, onProgress }) {
  const ours = await startOurs({ name: "ours" });
  const schema = readSchema(ours.folder);
  const plain = await startFloor({ name: "floor, a commit per request", commits: "plain", schema });
  const group = await startFloor({ name: "floor, group commit", commits: "group", schema });
  const database = postgres ? await startDatabase() : undefined;
  const onPostgres =
    database && (await startOurs({ name: "ours on PostgreSQL", databaseUrl: database.url }));
  const load = startLoadProcess();
  try {
    const creating = [ours, onPostgres, plain, group].filter(Boolean);
    const reading = [ours, onPostgres, plain].filter(Boolean);
    const ids = new Map();
    for (const server of creating) ids.set(server, await checkAnswers(server));
    onProgress("answers are equal");

    const cells = [
      ...creating.map((server) => ({ verb: "create", server, work: createLoad() })),
      ...reading.map((server) => ({ verb: "read", server, work: readLoad(ids.get(server)) })),
    ];
    const before = await ours.metrics();
    const measured = await measureInRounds(load, cells, {
      rounds,
      seconds,
      warmUpSeconds: WARM_UP_SECONDS,
      onRound: (round) => onProgress(`round ${round} of ${rounds}`),
    });
    const commits = commitStats(before, await ours.metrics());
    return { tables: ["create", "read"].map((verb) => table(verb, cells, measured)), commits };
  } finally {
    load.stop();
    await Promise.all(
      [ours, plain, group, onPostgres].filter(Boolean).map((server) => server.stop()),
    );
    await database?.stop();
  }
}

/** The first row is ours; every other one says how ours compares with it. */
function table(verb, cells, measured) {
  const rows = cells
    .map(({ server, ...cell }, index) => ({ ...cell, name: server.name, rounds: measured[index] }))
    .filter((cell) => cell.verb === verb);
  const [ours] = rows;
  return {
    verb,
    rows: rows.map(({ name, rounds }) => ({
      name: verb === "read" ? name.replace(/^floor.*/, "floor") : name,
      cpuMicros: median(rounds.map(({ cpuMicros }) => cpuMicros)),
      perSecond: median(rounds.map(({ perSecond }) => perSecond)),
      requests: rounds.reduce((sum, { requests }) => sum + requests, 0),
      errors: countErrors(rounds),
      ...(name.startsWith("floor") ? { oursToThis: ratio(ours.rounds, rounds) } : {}),
    })),
  };
}
