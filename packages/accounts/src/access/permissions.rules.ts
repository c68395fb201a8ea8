import { ROLES, type Role } from "@orchestrator/contract";

/** What an operation takes. */
export type AccessRight = "read" | "run" | "write" | "manage" | "own" | "operate";

/** What each role may do. */
const RIGHTS: Readonly<Record<Role, readonly AccessRight[]>> = {
  /** Looks, and sees no secret. */
  viewer: ["read"],
  /** What a worker and the runs it starts need, the secrets of blocks among it. */
  runner: ["read", "run"],
  /** Everything in a workspace. */
  developer: ["read", "run", "write"],
  /** Also the workspaces of the account, and who may use them. */
  admin: ["read", "run", "write", "manage"],
  /** Also the account itself; that of the first account also the server. */
  owner: ["read", "run", "write", "manage", "own", "operate"],
};

const A = "/api";
const U = "/uptime/api";

/**
 * What each operation takes: the first line that fits counts. `*` stands for one part of the path,
 * `**` for any number of them. What no line fits is read by GET and written by everything else.
 */
const OPERATIONS: readonly (readonly [right: AccessRight, methods: string, path: string])[] = [
  // Who did what is for those who manage the account.
  ["manage", "POST", `${A}/accounts/*/audit/filter`],
  ["manage", "GET", `${A}/accounts/*/audit/export`],

  // Lists, counts and figures are asked for by POST because their filters are bodies.
  ["read", "POST", `${A}/**/filter`],
  ["read", "POST", `${A}/**/count`],
  ["read", "POST", `${A}/**/paginate`],
  ["read", "POST", `${A}/**/history`],
  ["read", "POST", `${A}/**/concurrency_status`],
  ["read", "POST", `${A}/flow_runs/lateness`],
  ["read", "POST", `${A}/events/count-by/*`],
  ["read", "POST", `${A}/ui/**`],
  ["read", "POST", `${A}/templates/validate`],
  ["read", "POST", `${A}/automations/templates/validate`],
  ["read", "POST", `${A}/automations/simulate`],
  ["read", "POST", `${A}/deployments/*/schedules/preview`],

  ["write", "POST", `${A}/flow_runs/bulk_delete`],
  // What flows, tasks and workers do while they run.
  ["run", "POST", `${A}/flows`],
  ["run", "POST PATCH", `${A}/flow_runs/**`],
  // Results may hold what the page of a run does not show.
  ["run", "GET", `${A}/flow_runs/*/journal`],
  ["run", "GET", `${A}/flow_runs/*/result`],
  ["run", "POST PATCH", `${A}/task_runs/**`],
  ["run", "DELETE", `${A}/flow_runs/*/input/*`],
  ["run", "POST", `${A}/deployments/*/create_flow_run/**`],
  ["run", "POST", `${A}/deployments/get_scheduled_flow_runs`],
  ["run", "POST", `${A}/work_pools/*/get_scheduled_flow_runs`],
  ["run", "POST", `${A}/work_pools/*/claim_flow_runs`],
  ["run", "POST", `${A}/deployments/claim_flow_runs`],
  ["run", "POST", `${A}/work_pools/*/workers/heartbeat`],
  ["run", "POST", `${A}/work_queues/*/get_runs`],
  ["run", "POST", `${A}/logs`],
  ["run", "POST", `${A}/events`],
  ["run", "POST PATCH", `${A}/artifacts/**`],
  ["run", "POST", `${A}/concurrency_limits/increment`],
  ["run", "POST", `${A}/concurrency_limits/decrement`],
  ["run", "POST", `${A}/v2/concurrency_limits/increment`],
  ["run", "POST", `${A}/v2/concurrency_limits/increment-with-lease`],
  ["run", "POST", `${A}/v2/concurrency_limits/decrement`],
  ["run", "POST", `${A}/v2/concurrency_limits/decrement-with-lease`],
  ["run", "POST", `${A}/v2/concurrency_limits/leases/*/renew`],

  // Websockets.
  ["run", "GET", `${A}/events/in`],
  ["run", "GET", `${A}/task_runs/subscriptions/scheduled`],
  ["run", "GET", `${A}/work_pools/*/workers/connect`],

  // The settings and the figures are those of the whole server.
  ["operate", "GET", `${A}/admin/settings`],
  ["operate", "GET", "/metrics"],

  // Whoever is in may leave.
  ["read", "POST", `${U}/logout`],
  // Checks that somebody asks for.
  ["run", "POST", `${U}/monitors/check-all`],
  ["run", "POST", `${U}/monitors/*/check`],
  ["run", "POST", `${U}/incidents/*/acknowledge`],

  // Accounts.
  // Nobody is asked there.
  ["read", "GET POST", `${A}/auth/**`],
  ["read", "GET PATCH POST DELETE", `${A}/me/**`],
  ["operate", "POST", `${A}/accounts`],
  ["own", "PATCH DELETE", `${A}/accounts/*`],
  ["read", "GET", `${A}/accounts/*`],
  ["read", "GET", `${A}/accounts/*/workspaces/**`],
  ["manage", "POST PATCH PUT DELETE", `${A}/accounts/*/workspaces/**`],
  ["manage", "GET POST DELETE", `${A}/accounts/*/service_accounts/**`],
  ["manage", "GET PATCH DELETE", `${A}/accounts/*/members/**`],
  ["manage", "GET POST DELETE", `${A}/accounts/*/invitations/**`],
  ["manage", "PATCH", `${A}/accounts/*/api_keys/*`],
  // Anybody may make, see and revoke keys of their own; those of others take more, which the
  // service checks.
  ["read", "GET POST DELETE", `${A}/accounts/*/api_keys/**`],
];

const compiled = OPERATIONS.map(([right, methods, path]) => ({
  right,
  methods: new Set(methods.split(" ")),
  pattern: patternOf(path),
}));

const READS = new Set(["GET", "HEAD", "OPTIONS"]);

/** What the operation takes, by its method and the pattern of its route. */
export function rightFor(method: string, route: string): AccessRight {
  const asked = method === "HEAD" ? "GET" : method;
  const path = route.length > 1 && route.endsWith("/") ? route.slice(0, -1) : route;
  const found = compiled.find(({ methods, pattern }) => methods.has(asked) && pattern.test(path));
  return found?.right ?? (READS.has(asked) ? "read" : "write");
}

export const mayDo = (role: Role, right: AccessRight): boolean => RIGHTS[role].includes(right);

/** The lesser of two roles. */
export function lesserRole(a: Role, b: Role): Role {
  return ROLES.indexOf(a) <= ROLES.indexOf(b) ? a : b;
}

function patternOf(path: string): RegExp {
  const source = path
    .split("/")
    .slice(1)
    .map((part) => {
      if (part === "**") return "(?:/[^/]+)*";
      if (part === "*") return "/[^/]+";
      return `/${part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")}`;
    })
    .join("");
  return new RegExp(`^${source}$`);
}
