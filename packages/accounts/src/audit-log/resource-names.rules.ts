/** Where something that an address names has its name. */
export interface NamePlace {
  readonly table: string;
  readonly column: string;
}

/** By the first word of the address of what belongs to a workspace. */
const IN_WORKSPACE: Readonly<Record<string, NamePlace>> = {
  ...Object.fromEntries(
    [
      "automations",
      "block_documents",
      "block_types",
      "concurrency_limits",
      "deployments",
      "flow_runs",
      "flows",
      "monitors",
      "slas",
      "task_runs",
      "variables",
      "webhooks",
      "work_pools",
      "work_queues",
    ].map((table) => [table, { table, column: "name" }]),
  ),
  artifacts: { table: "artifacts", column: "key" },
  maintenance: { table: "maintenance_windows", column: "name" },
  "status-pages": { table: "status_pages", column: "title" },
};

/** Who it is that makes something else than the address says: the run of a deployment. */
const RUNS = /\/create_flow_run\/?$/;
const FIRST_WORD = /^(?:\/uptime)?\/api\/(?:v2\/)?([^/:]+)/;

export function placeInWorkspace(route: string): NamePlace | undefined {
  const word = RUNS.test(route) ? "flow_runs" : FIRST_WORD.exec(route)?.[1];
  return word === undefined ? undefined : IN_WORKSPACE[word];
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** What is named by its name already needs no other. */
export const isUuidText = (text: string | null): text is string => text !== null && UUID.test(text);
