import type { IsExpensive } from "@orchestrator/kernel/http";

type ExpensiveRequest = Parameters<IsExpensive>[0];

/** Longer lists are expensive. */
const LONG_LIST = 200;
/** Filters nest no deeper than this. */
const MAX_DEPTH = 6;

const A = "/api";
const U = "/uptime/api";

/**
 * Exports, previews, bulk operations: expensive whatever is asked. `*` stands for one part of the
 * path.
 */
export const EXPENSIVE_OPERATIONS: readonly string[] = [
  `POST ${A}/flow_runs/bulk_delete`,
  `POST ${A}/flow_runs/bulk_set_state`,
  `POST ${A}/flows/bulk_delete`,
  `POST ${A}/deployments/bulk_delete`,
  `POST ${A}/deployments/*/create_flow_run/bulk`,
  `POST ${A}/deployments/*/schedule`,
  `POST ${A}/deployments/*/schedules/preview`,
  `POST ${A}/automations/simulate`,
  `POST ${A}/webhooks/*/preview`,
  `GET ${A}/flow_runs/*/logs/download`,
  `GET ${A}/flow_runs/*/graph`,
  `GET ${A}/flow_runs/*/graph-v2`,
  `GET ${A}/accounts/*/audit/export`,
  `GET ${U}/export`,
  `POST ${U}/import`,
  `GET ${U}/reports/sla`,
  `GET ${U}/reports/sla.csv`,
  `GET ${U}/schedules/preview`,
];

/**
 * Lists and counts with a filter as their body: expensive where that is a search. `**` stands for
 * any parts of the path.
 */
export const SEARCHES: readonly string[] = [
  `POST ${A}/**/filter`,
  `POST ${A}/**/paginate`,
  `POST ${A}/**/count`,
  `POST ${A}/**/history`,
  `POST ${A}/events/count-by/*`,
  `POST ${A}/ui/logs/newest`,
];

interface Route {
  readonly url: string;
  readonly schema?: { readonly querystring?: unknown; readonly body?: unknown };
}

/** Null for a route whose requests are never expensive. */
export function expensiveOn(method: string, { url, schema }: Route): IsExpensive | null {
  const operation = `${method} ${url.length > 1 ? url.replace(/\/$/, "") : url}`;
  if (EXPENSIVE_OPERATIONS.some((pattern) => fits(pattern, operation))) return () => true;
  const isSearch = SEARCHES.some((pattern) => fits(pattern, operation));
  const mayBeLong = mayList(schema?.querystring) || mayList(schema?.body);
  if (isSearch) return (request) => isLong(request) || searches(request.body);
  return mayBeLong ? isLong : null;
}

const patterns = new Map<string, RegExp>();

/** Parameters in routes, such as `:id`, are parts of the path like any other. */
export function fits(pattern: string, operation: string): boolean {
  let expression = patterns.get(pattern);
  if (expression === undefined) {
    const escaped = pattern
      .replace(/[.]/g, "\\.")
      .replace(/\*\*|\*/g, (stars) => (stars === "**" ? ".+" : "[^/]+"));
    expression = new RegExp(`^${escaped}$`);
    patterns.set(pattern, expression);
  }
  return expression.test(operation);
}

interface Listing {
  readonly properties?: { readonly limit?: { readonly maximum?: number } };
}

/** Whether the schema lets a caller ask for a long list. */
function mayList(schema: unknown): boolean {
  const limit = (schema as Listing | undefined)?.properties?.limit;
  return limit !== undefined && (limit.maximum ?? Number.POSITIVE_INFINITY) > LONG_LIST;
}

const isLong = ({ query, body }: ExpensiveRequest): boolean =>
  isMany(limitOf(query)) || isMany(limitOf(body));

const limitOf = (from: unknown): unknown => (from as { readonly limit?: unknown } | null)?.limit;
const isMany = (limit: unknown): boolean => typeof limit === "number" && limit > LONG_LIST;

/**
 * Whether a filter asks for letters of a text, or for alternatives, which no index answers alone.
 */
function searches(filter: unknown, depth = 0): boolean {
  if (typeof filter !== "object" || filter === null || depth > MAX_DEPTH) return false;
  if (Array.isArray(filter)) return false;
  return Object.entries(filter).some(
    ([name, value]) =>
      ((name === "like_" || name === "query") && value != null) ||
      (name === "operator" && value === "or_") ||
      searches(value, depth + 1),
  );
}
