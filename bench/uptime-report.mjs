// Turns what was measured about checks into text.
import { columns, number } from "./report.mjs";

const ms = (value) => `${value.toFixed(value < 10 ? 1 : 0)} ms`;

export function uptimeText({ rows, history }, { seconds }) {
  if (history !== undefined) return historyText(history);
  const heading = [
    "",
    "CPU µs/check",
    "checks/CPU s",
    "floor, CPU µs",
    "ours ÷ floor",
    "checks/s",
    "of those due",
    "late p50",
    "p99",
    "most",
    "memory",
    "all once after",
    "twice at once",
  ];
  const cells = rows.map((row) => [
    `${row.engine}, ${row.title}`,
    number(row.cpuMicros),
    number(1e6 / row.cpuMicros),
    row.floor === null ? "" : number(row.floor.cpuMicros),
    row.floor === null ? "" : `${(row.cpuMicros / row.floor.cpuMicros).toFixed(2)}×`,
    number(row.perSecond),
    `${(row.doneShare * 100).toFixed(1)} %`,
    ...[row.lateness.p50, row.lateness.p99, row.lateness.most].map(ms),
    `${number(row.rss / 1e6)} MB`,
    `${(row.firstRoundMs / 1000).toFixed(1)} s`,
    String(row.overlaps),
  ]);
  return [
    `CPU of the server, windows of ${seconds * 10} s; the floor is a bare client with fresh connections and the same insert`,
    "",
    ...columns([heading, ...cells]),
  ].join("\n");
}

function historyText(tables) {
  const [first] = tables;
  const heading = [
    "median (most) of 15",
    ...tables.map((table) => `${table.engine}, ${number(table.results)} results`),
  ];
  const rows = first.questions.map(({ name }, i) => [
    name,
    ...tables.map(({ questions }) => `${ms(questions[i].median)} (${ms(questions[i].most)})`),
  ]);
  return columns([heading, ...rows]).join("\n");
}
