// In every folder, its subfolders and files have an order: what one imports of another goes one
// way. Imports of files
// below a subfolder count for the subfolder, and tests may import what they like.

const TESTS = /\.test\.[cm]?[jt]sx?$|\/testing\//;

/**
 * The shortest cycle of each folder that has any, with one import for each step.
 *
 * @param modules as dependency-cruiser gives them
 */
export function folderCycles(modules) {
  const ours = modules.filter(({ source }) => isOurs(source) && !TESTS.test(source));
  const graphs = [...graphsOf(ours)].sort(([a], [b]) => a.localeCompare(b));
  return graphs.flatMap(([folder, graph]) => {
    const cycle = shortestCycle(graph);
    return cycle === null ? [] : [describe(folder, graph, cycle)];
  });
}

const isOurs = (path) => !/(^|\/)node_modules\//.test(path);

/** Folder → entry → imported entry → one file and what it imports. */
function graphsOf(modules) {
  const known = new Set(modules.map(({ source }) => source));
  const graphs = new Map();
  for (const { source, dependencies } of modules)
    for (const { resolved } of dependencies) {
      if (!known.has(resolved) || resolved === source) continue;
      const [from, to] = [source.split("/"), resolved.split("/")];
      const depth = from.findIndex((part, i) => part !== to[i]);
      const graph = within(graphs, from.slice(0, depth).join("/"));
      const imported = within(graph, from[depth]);
      if (!imported.has(to[depth])) imported.set(to[depth], { source, resolved });
    }
  return graphs;
}

function within(maps, key) {
  const map = maps.get(key) ?? new Map();
  maps.set(key, map);
  return map;
}

function shortestCycle(graph) {
  const entries = [...graph.keys()].sort((a, b) => a.localeCompare(b));
  const cycles = entries.map((entry) => cycleThrough(graph, entry));
  return cycles
    .filter((cycle) => cycle !== null)
    .reduce((best, cycle) => (best === null || cycle.length < best.length ? cycle : best), null);
}

/** Breadth first, along the imports, until they lead back to where they began. */
function cycleThrough(graph, start) {
  const paths = [[start]];
  const seen = new Set([start]);
  for (const path of paths)
    for (const next of graph.get(path.at(-1))?.keys() ?? []) {
      if (next === start) return [...path, start];
      if (!seen.has(next)) paths.push([...path, next]);
      seen.add(next);
    }
  return null;
}

function describe(folder, graph, cycle) {
  const steps = cycle.slice(1).map((to, i) => {
    const { source, resolved } = graph.get(cycle[i]).get(to);
    return `    ${source} imports ${resolved}`;
  });
  return [`  error folder-cycle: ${folder || "."}: ${cycle.join(" → ")}`, ...steps].join("\n");
}
