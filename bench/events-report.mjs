// Turns what was measured about events into text.
import { columns, errorCounts, number } from "./report.mjs";

export function eventsText({ engine, tables, latency }, { rounds, seconds }) {
  const length = `median of ${rounds} rounds of ${seconds} s`;
  const lines = [
    `${engine}, CPU of the server until every reader of the log has seen the events, ${length}`,
  ];
  for (const { way, rows } of tables) {
    const [fewest] = rows;
    const heading = [
      way,
      "CPU µs/event",
      "events/CPU s",
      "events/s",
      "÷ without automations",
      "errors",
    ];
    const cells = rows.map((row) => [
      row.name,
      number(row.cpuMicros),
      number(row.perCpuSecond),
      number(row.perSecond),
      `${(row.cpuMicros / fewest.cpuMicros).toFixed(2)}×`,
      errorCounts(row.errors),
    ]);
    lines.push("", ...columns([heading, ...cells]));
  }
  const { p50, p99, most, heard, count, everyMs } = latency;
  const milliseconds = [p50, p99, most].map((value) => `${value?.toFixed(0)} ms`);
  lines.push(
    "",
    `From event to action, one event every ${everyMs} ms: p50 ${milliseconds[0]}, p99 ${milliseconds[1]}, most ${milliseconds[2]} (${heard} of ${count})`,
  );
  return lines.join("\n");
}
