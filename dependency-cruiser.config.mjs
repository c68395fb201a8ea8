/** They know nothing of ours, and may import only the leaves before them. */
const leaves = ["exact-json", "calendar", "outbound", "jinja", "json-schema"];
// What may import what.
const mayImport = {
  "exact-json": [],
  calendar: [],
  outbound: [],
  jinja: ["exact-json", "calendar"],
  "json-schema": ["exact-json", "calendar"],
  contract: [],
  kernel: ["exact-json", "outbound"],
  orchestrator: ["kernel", "contract", ...leaves],
  uptime: ["kernel", "contract", "exact-json", "calendar", "outbound"],
  accounts: ["kernel", "contract", "outbound"],
  server: ["kernel", "orchestrator", "uptime", "accounts", "outbound"],
  client: ["contract"],
  sdk: ["client", "contract"],
  cli: ["client", "sdk", "contract", "exact-json"],
  web: ["client", "contract", "exact-json"],
};
const ORCHESTRATION = "/src/runs/orchestration/";
// Lowest first. A suffix decides before the folder does.
const layers = [
  ["pure", "\\.(table|rules|events|filter)\\.ts$"],
  ["store", "\\.store\\.ts$"],
  ["orchestration", ORCHESTRATION],
  ["service", "\\.service\\.ts$"],
  ["edge", "\\.(routes|loop|socket)\\.ts$"],
];
const SUFFIXES = layers.map(([, path]) => path).filter((path) => path !== ORCHESTRATION);
const TESTS = "\\.test\\.ts$|/src/(worker-)?testing(/|\\.ts$)";
const SERVER_COMMANDS = "^packages/cli/src/commands/server/";
const CLIENT_FOR_NODE = "^packages/client/src/(node/|(node|settings)\\.ts$)";
/** The kernel has a door for each subject, and no index. Threads load `pure` only. */
const KERNEL_DOORS =
  "^packages/kernel/src/(storage|lists|http|log|events|loops|scope|settings|secrets|compute|pure|testing)\\.ts$";
const DOORS = [
  "^packages/(?!kernel/)[^/]+/src/(index|testing|worker|worker-testing|node)\\.ts$",
  "^packages/client/src/(settings|refusals)\\.ts$",
  "^packages/json-schema/src/problems\\.ts$",
  KERNEL_DOORS,
].join("|");

/**
 * The rooms of the orchestrator, lowest first: imports go down. What all of them share is below.
 */
const rooms = [
  "(db|events|http|lists|parameters|polling|templates|texts)",
  "blocks",
  "workspace",
  "limits",
  "work",
  "telemetry",
  "runs",
  "scheduling",
  "flows",
  "history",
  "reacting",
].map((room) => `^packages/orchestrator/src/${room}/`);

const packageRules = Object.entries(mayImport).map(([name, allowed]) => ({
  name: `package-${name}`,
  comment: `${name} may import only: ${allowed.join(", ") || "nothing of ours"}.`,
  severity: "error",
  from: { path: `^packages/${name}/`, pathNot: name === "cli" ? SERVER_COMMANDS : undefined },
  to: {
    path: "^packages/",
    pathNot: `^packages/(${[name, ...allowed].join("|")})/`,
  },
}));

const layerRules = layers.slice(0, -1).map(([name, path], i) => ({
  name: `layer-${name}`,
  comment: `Imports only go down: ${layers.map(([layer]) => layer).join(" < ")}.`,
  severity: "error",
  from: { path, pathNot: path === ORCHESTRATION ? [TESTS, ...SUFFIXES] : TESTS },
  to: {
    path: layers.slice(i + 1).map(([, upper]) => upper),
    pathNot: layers.slice(0, i + 1).flatMap(([, lower]) => (lower === ORCHESTRATION ? [] : lower)),
  },
}));

const roomRules = rooms.slice(0, -1).map((room, i) => ({
  name: `room-${room.split("/").at(-2)}`,
  comment: "Rooms import what is below them. The list in this file says what is.",
  severity: "error",
  from: { path: room, pathNot: TESTS },
  to: { path: rooms.slice(i + 1) },
}));

export default {
  forbidden: [
    {
      name: "no-cycles",
      comment: "Files that import each other cannot be understood one at a time.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "resolvable",
      comment: "An import that leads nowhere escapes every other rule.",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
    ...packageRules,
    {
      name: "cli-server-commands",
      comment: "Only the commands that run a server load it, and nothing behind it.",
      severity: "error",
      from: { path: SERVER_COMMANDS },
      to: { path: "^packages/", pathNot: "^packages/(cli|client|sdk|contract|exact-json|server)/" },
    },
    {
      name: "client-runs-in-browsers",
      comment: "What is Node's stays behind the client's door for Node.",
      severity: "error",
      from: { path: "^packages/client/src/", pathNot: [TESTS, CLIENT_FOR_NODE] },
      to: { path: CLIENT_FOR_NODE },
    },
    {
      name: "client-without-node-modules",
      comment: "Browsers have none of Node's own modules.",
      severity: "error",
      from: { path: "^packages/client/src/", pathNot: [TESTS, CLIENT_FOR_NODE] },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "package-doors",
      comment: "Another package is entered through its doors only, which its package.json exports.",
      severity: "error",
      from: { path: "^packages/([^/]+)/" },
      to: { path: "^packages/", pathNot: ["^packages/$1/", DOORS] },
    },
    {
      name: "package-doors-from-outside",
      comment: "Tests and benchmarks enter packages through their doors as well.",
      severity: "error",
      // The run's database must start even when the rest of the kernel does not load.
      from: { pathNot: ["^packages/", "^tests/setup/postgres\\.ts$"] },
      to: { path: "^packages/[^/]+/src/", pathNot: DOORS },
    },
    {
      name: "testing-stays-in-tests",
      comment: "What serves tests is not part of the product.",
      severity: "error",
      from: { path: "^packages/", pathNot: TESTS },
      to: { path: "/src/testing(/|\\.ts$)" },
    },
    {
      name: "computation-on-threads",
      comment:
        "What users supply is validated through `validate.ts`, which keeps it off the event loop.",
      severity: "error",
      from: { path: "^packages/orchestrator/", pathNot: [TESTS, "/src/parameters/"] },
      to: { path: ["/src/parameters/json-schema\\.ts$", "^packages/json-schema/src/index\\.ts$"] },
    },
    ...roomRules,
    ...layerRules,
  ],
  options: {
    parser: "swc",
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    exclude: { path: "(^|/)(dist|node_modules)/" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["source", "import", "node", "default"],
    },
  },
};
