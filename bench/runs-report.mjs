// Turns what was measured about runs into text.
import { columns, errorCounts, number } from "./report.mjs";

const times = (value) => `${value < 9.95 ? value.toFixed(1) : number(value)}×`;
const micros = (value) => number(value);

export function runsText({ engine, sizes, peer, notes, operations }, options) {
  const { rounds, seconds, growthTarget } = options;
  const has = (role) => operations.some(({ cells }) => cells.some((cell) => cell.role === role));
  const [hasFloor, hasPeer, grows] = [has("floor"), has("peer"), sizes.length > 1];
  const hasDatabase = operations.some(({ cells }) => cells.some(isDatabaseKnown));
  const heading = [
    "CPU µs",
    ...sizes.map((rows) => `ours, ${number(rows)} runs`),
    ...(grows ? ["growth"] : []),
    ...(hasFloor ? ["floor", "ours ÷ floor"] : []),
    ...(hasPeer ? [peer, "÷ ours", "least–most", "target"] : []),
    ...(hasDatabase
      ? [
          ...sizes.map((rows) => `database of ours, ${number(rows)}`),
          ...(hasPeer ? [`database of ${peer}`, "all ÷ all"] : []),
        ]
      : []),
    "errors",
  ];
  const rows = operations.map((operation) => {
    const of = (role) => operation.cells.filter((cell) => cell.role === role);
    const [[floor], [other], ours] = [of("floor"), of("peer"), of("ours")];
    return [
      operation.title,
      ...ours.map(({ cpuMicros }) => micros(cpuMicros)),
      ...(grows ? [growthCell(operation, ours.at(-1).growth, growthTarget)] : []),
      ...(hasFloor ? floorCells(floor) : []),
      ...(hasPeer ? peerCells(operation, other) : []),
      ...(hasDatabase
        ? [...ours.map(databaseCell), ...(hasPeer ? peerDatabaseCells(other) : [])]
        : []),
      errorCounts(Object.assign({}, ...ours.map(({ errors }) => errors), floor?.errors)),
    ];
  });
  const length = `median of ${rounds} rounds of ${seconds} s`;
  return [
    `${engine}, CPU µs of the server per request, ${length}; scheduled runs measured once`,
    ...(hasPeer ? [`${peer}: ${peerConditions(engine)}, rounds twice as long`] : []),
    "",
    ...columns([heading, ...rows]),
    "",
    ...verdicts(operations, { grows, hasPeer, growthTarget }),
    ...notes,
    ...peerErrors(operations, peer),
  ].join("\n");
}

const peerConditions = (engine) =>
  engine === "SQLite" ? "one connection, because its SQLite takes one writer" : "4 connections";

function growthCell({ isIndexed }, growth, target) {
  if (!isIndexed) return growth === undefined ? "" : times(growth);
  return `${times(growth)} ${growth <= target ? "met" : "missed"}`;
}

function floorCells(floor) {
  return floor === undefined ? ["", ""] : [micros(floor.cpuMicros), times(floor.oursToThis.median)];
}

function peerCells({ target }, cell) {
  if (cell === undefined) return ["", "", "", ""];
  const { median, least, most } = cell.thisToOurs;
  const verdict = median >= target ? "met" : "missed";
  return [
    micros(cell.cpuMicros),
    times(median),
    `${times(least)}–${times(most)}`,
    `${target}× ${verdict}`,
  ];
}

const isDatabaseKnown = ({ databaseMicros }) => Number.isFinite(databaseMicros);
const databaseCell = (cell) => (isDatabaseKnown(cell) ? micros(cell.databaseMicros) : "");

function peerDatabaseCells(cell) {
  if (cell === undefined || !isDatabaseKnown(cell)) return ["", ""];
  return [databaseCell(cell), times(cell.thisToOursInAll.median)];
}

function verdicts(operations, { grows, hasPeer, growthTarget }) {
  const lines = [];
  if (hasPeer) {
    const missed = operations.filter(({ cells, target }) =>
      cells.some(({ thisToOurs }) => thisToOurs !== undefined && thisToOurs.median < target),
    );
    lines.push(verdict("50 or 25 times less CPU", missed));
  }
  if (grows) {
    const missed = operations.filter(
      ({ isIndexed, cells }) => isIndexed && cells.some(({ growth }) => growth > growthTarget),
    );
    lines.push(verdict(`indexed operations grow at most ${times(growthTarget)}`, missed));
  }
  return lines;
}

function verdict(target, missed) {
  const titles = missed.map(({ title }) => title).join("; ");
  return missed.length === 0 ? `target, ${target}: met` : `target, ${target}: missed by ${titles}`;
}

/** Its errors are its own affair, but a cost per request with errors in it means little. */
function peerErrors(operations, peer) {
  return operations.flatMap(({ title, cells }) =>
    cells
      .filter(({ role, errors }) => role === "peer" && Object.keys(errors).length > 0)
      .map(({ errors }) => `${peer}, ${title}: ${errorCounts(errors)}`),
  );
}
