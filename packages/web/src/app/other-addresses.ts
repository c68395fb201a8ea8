// Links in messages are as other clients of the API know them (`/runs/flow-run/<id>`); here the same things have shorter ones.

const OTHERS: readonly (readonly [RegExp, string])[] = [
  [/^\/runs\/flow-run\/([^/]+)$/, "/runs/$1"],
  [/^\/(flows)\/flow\/([^/]+)$/, "/$1/$2"],
  [/^\/(deployments)\/deployment\/([^/]+)$/, "/$1/$2"],
  [/^\/(automations)\/automation\/([^/]+)$/, "/$1/$2"],
  [/^\/(events)\/event\/[^/]+\/([^/]+)$/, "/$1/$2"],
  [/^\/work-queues\/work-queue\/[^/]+$/, "/work-pools"],
  [/^\/(concurrency-limits)\/concurrency-limit\/[^/]+$/, "/$1"],
];

/** The address under which this application knows a page. */
export function ownAddress(path: string): string {
  const [pattern, own] = OTHERS.find(([other]) => other.test(path)) ?? [];
  return pattern && own ? path.replace(pattern, own) : path;
}
