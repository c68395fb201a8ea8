// Turns measurements into text.

export const number = (value) => Math.round(value).toLocaleString("en-US");
const times = (value) => `${value.toFixed(2)}×`;

export function comparisonText({ tables, commits }, { target, rounds, seconds }) {
  const lines = [`64 keep-alive connections, median of ${rounds} rounds of ${seconds} s`];
  for (const { verb, rows } of tables) {
    const heading = ["CPU µs/request", "requests/s", "errors", "ours ÷ this (CPU, least–most)"];
    lines.push("", ...columns([[`variables: ${verb}`, ...heading], ...rows.map(comparisonRow)]));
    for (const { name, oursToThis } of rows) {
      if (oursToThis !== undefined) lines.push(verdict(name, oursToThis.median, target));
    }
  }
  lines.push("", ...commitLines(commits));
  lines.push(
    "",
    "Ours also validates, writes an event in the same transaction and keeps metrics; the floor does not.",
  );
  return lines.join("\n");
}

function comparisonRow({ name, cpuMicros, perSecond, errors, oursToThis }) {
  const compared =
    oursToThis === undefined
      ? ""
      : `${times(oursToThis.median)} (${times(oursToThis.least)}–${times(oursToThis.most)})`;
  return [name, number(cpuMicros), number(perSecond), errorCounts(errors), compared];
}

function verdict(name, ratio, target) {
  const word = ratio <= target ? "met" : "missed";
  return `  target ≤ ${times(target)} ${name}: ${word} (${times(ratio)})`;
}

function commitLines({ commits, writes, meanCommitMs, bySize }) {
  const shares = bySize
    .filter((bucket) => bucket.commits > 0)
    .map((bucket) => `≤${bucket.upTo}: ${((bucket.commits / commits) * 100).toFixed(1)} %`);
  return [
    `ours, SQLite: ${number(writes)} writes in ${number(commits)} commits, ${(writes / commits).toFixed(1)} per commit, ${meanCommitMs.toFixed(2)} ms each`,
    `  commits by number of writes: ${shares.join(", ")}`,
  ];
}

export function growthText({ engine, sizes, operations, rowsAtEnd }, { rounds, seconds }) {
  const heading = sizes.flatMap((rows, i) =>
    i === 0 ? [`${number(rows)} rows`] : [`${number(rows)} rows`, "growth"],
  );
  const rows = operations.map(({ name, cells }) => [
    name,
    ...cells.flatMap((cell, i) =>
      i === 0 ? [number(cell.cpuMicros)] : [number(cell.cpuMicros), times(cell.growth)],
    ),
    errorCounts(Object.assign({}, ...cells.map(({ errors }) => errors))),
  ]);
  return [
    `${engine}, CPU µs of our process per request, median of ${rounds} rounds of ${seconds} s`,
    "",
    ...columns([["", ...heading, "errors"], ...rows]),
    "",
    `create began with that many rows and ended with ${rowsAtEnd.map(number).join(" and ")}`,
  ].join("\n");
}

export function errorCounts(errors) {
  const found = Object.entries(errors);
  return found.length === 0 ? "0" : found.map(([what, count]) => `${count} × ${what}`).join(", ");
}

export function columns(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows.map((row) =>
    row
      .map((text, column) =>
        column === 0 ? text.padEnd(widths[0]) : text.padStart(widths[column]),
      )
      .join("   ")
      .trimEnd(),
  );
}
