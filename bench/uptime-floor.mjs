// The least that checks could cost: a bare HTTP client with a fresh connection each, and the result
// in the same table.
import { get } from "node:http";
import { performance } from "node:perf_hooks";
import { openBenchSqlite } from "./sqlite.mjs";

const [file, schema, port, monitors, interval] = process.argv.slice(2);
const COUNT = Number(monitors);
const EVERY_MS = (Number(interval) * 1000) / COUNT;
const BATCH_MS = 100;
const TICK_MS = 2;
/**
 * What was missed on a busy machine is not made up for: many at once are cheaper than one after the
 * other.
 */
const MOST_LATE = 20;
const WORKSPACE = "00000000-0000-0000-0000-000000000000";

const db = openBenchSqlite(file);
for (const statement of JSON.parse(schema)) db.exec(statement);
const insert = db.prepare(
  "insert into check_results (id, workspace_id, monitor_id, checked_at, status, message, elapsed_ms, details, origin, inconclusive, maintenance) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
);
const [begin, commit] = ["begin immediate", "commit"].map((text) => db.prepare(text));

let waiting = [];
let done = 0;
let started = 0;
let counted = 0;

function check(number) {
  const at = new Date();
  const began = performance.now();
  const request = get(
    { host: "127.0.0.1", port: Number(port), path: `/${number}`, agent: false },
    (answer) => {
      const chunks = [];
      const first_byte = performance.now() - began;
      answer.on("data", (chunk) => chunks.push(chunk));
      answer.on("end", () => {
        const elapsed = performance.now() - began;
        // As long as the details that the product keeps of such an answer.
        const timings = { first_byte, download: elapsed - first_byte };
        const bytes = Buffer.concat(chunks).length;
        const details = JSON.stringify({
          http: { status_code: answer.statusCode, timings, bytes },
        });
        waiting.push({ number, at: at.toISOString(), elapsed, details });
      });
    },
  );
  request.on("error", () => {});
}

function idOf(number) {
  return `019b76da-0000-7000-8000-${number.toString(16).padStart(12, "0")}`;
}

function store() {
  if (waiting.length === 0) return;
  const batch = waiting;
  waiting = [];
  begin.run();
  for (const { number, at, elapsed, details } of batch) {
    counted += 1;
    const row = [
      idOf(counted),
      WORKSPACE,
      idOf(number),
      at,
      "up",
      "http: 200 OK",
      elapsed,
      details,
    ];
    insert.run(...row, "schedule", 0, 0);
  }
  commit.run();
  done += batch.length;
}

const began = performance.now();
setInterval(() => {
  const due = Math.floor((performance.now() - began) / EVERY_MS);
  started = Math.max(started, due - MOST_LATE);
  for (; started < due; started += 1) check(started % COUNT);
}, TICK_MS);
setInterval(store, BATCH_MS);

process.on("message", ({ command }) => {
  const { user, system } = process.cpuUsage();
  if (command === "figures") process.send({ cpuSeconds: (user + system) / 1e6, done });
});
process.on("disconnect", () => process.exit(0));
process.send({ ready: true });
