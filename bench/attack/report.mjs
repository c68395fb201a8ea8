// Turns what was seen under attack into text.
import { columns, number } from "../report.mjs";

const MEGA = 1e6;

export function attacksText({ engines }, { seconds, checkout }) {
  const where = checkout === undefined ? "" : `, of another checkout`;
  const lines = [
    `ms until health and readiness are answered while an attack of ${seconds} s goes on${where}, asked every 20 ms;`,
    `"late" is how long the machine kept the prober itself waiting (p99); memory is the highest of the server's process`,
  ];
  for (const { engine, rows } of engines)
    lines.push("", ...columns([[engine, ...HEADING], ...rows.map(attackRow)]));
  return lines.join("\n");
}

const HEADING = [
  "health p50",
  "p99",
  "max",
  "ready p99",
  "max",
  "failed",
  "late",
  "answers",
  "p99",
  "no answer",
  "resets",
  "memory, MB",
  "events",
  "stored, MB",
];

function attackRow({ title, health, ready, proberLate, sent, peakMegabytes, stored }) {
  const failed = { ...health.failures };
  for (const [what, times] of Object.entries(ready.failures))
    failed[what] = (failed[what] ?? 0) + times;
  return [
    title,
    ...[health.p50, health.p99, health.max, ready.p99, ready.max].map(milliseconds),
    tallyText(failed),
    milliseconds(proberLate.p99),
    tallyText(sent.statuses),
    milliseconds(sent.answers.p99),
    number(sent.unanswered),
    tallyText(sent.resets),
    number(peakMegabytes),
    number(stored.events),
    number(stored.bytes / MEGA),
  ];
}

function tallyText(tally) {
  const found = Object.entries(tally);
  return found.length === 0 ? "0" : found.map(([what, n]) => `${what}: ${number(n)}`).join(", ");
}

function milliseconds(value) {
  if (value === undefined) return "";
  return value < 10 ? value.toFixed(1) : number(value);
}

/** Beside what an earlier run has written with `--json`, as the tables of the documentation. */
export function attacksMarkdown({ engines }, earlier) {
  return engines
    .flatMap(({ engine, rows }) => {
      const before = earlier.engines.find((one) => one.engine === engine)?.rows ?? [];
      const line = (row) =>
        comparedRow(
          before.find(({ name }) => name === row.name),
          row,
        );
      return ["", ...[COMPARED(engine), RULE, ...rows.map(line)].map(markdownRow)];
    })
    .join("\n");
}

const COMPARED = (engine) => [
  engine,
  "health before, ms: p50, p99, max",
  "health now",
  "ready now",
  "answers now",
  "resets before",
  "now",
  "memory before, MB",
  "now",
];
const RULE = Array.from({ length: 9 }, () => "---");

function comparedRow(before, now) {
  return [
    now.title,
    timesText(before?.health),
    timesText(now.health),
    timesText(now.ready),
    tallyText(now.sent.statuses),
    tallyText(before?.sent.resets ?? {}),
    tallyText(now.sent.resets),
    number(before?.peakMegabytes ?? Number.NaN),
    number(now.peakMegabytes),
  ];
}

const timesText = (times) =>
  times === undefined ? "" : [times.p50, times.p99, times.max].map(milliseconds).join(", ");

const markdownRow = (cells) => `| ${cells.join(" | ")} |`;
