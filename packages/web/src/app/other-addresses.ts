// Links in messages, and those that other clients of the API print, are as those clients know them
// (`/runs/flow-run/<id>`); here the same things have shorter ones.

const ID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";

const OTHERS: readonly (readonly [RegExp, string])[] = [
  [/^\/(?:flow-)?runs\/flow-run\/([^/]+)$/, "/runs/$1"],
  [/^\/(flows)\/flow\/([^/]+)$/, "/$1/$2"],
  [/^\/(deployments)\/deployment\/([^/]+)$/, "/$1/$2"],
  [/^\/(automations)\/automation\/([^/]+)$/, "/$1/$2"],
  [/^\/(events)\/event\/[^/]+\/([^/]+)$/, "/$1/$2"],
  [/^\/(blocks)\/block\/([^/]+)$/, "/$1/$2"],
  [/^\/blocks\/catalog$/, "/blocks/new"],
  // By its name; the page of one that is named by its id finds out the name.
  [new RegExp(`^/(work-pools)/work-pool/(?!${ID}$)([^/]+)$`, "i"), "/$1/$2"],
  [/^\/(work-pools)\/work-pool\/([^/]+)\/worker\/[^/]+$/, "/$1/$2"],
  [/^\/work-queues\/work-queue\/[^/]+$/, "/work-pools"],
  [/^\/(concurrency-limits)\/concurrency-limit\/[^/]+$/, "/$1"],
];

/** The address under which this application knows a page. */
export function ownAddress(path: string): string {
  const [pattern, own] = OTHERS.find(([other]) => other.test(path)) ?? [];
  return pattern && own ? path.replace(pattern, own) : path;
}
