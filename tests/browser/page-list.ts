// Every page of the web UI, for who looks at all of them.
import type { FilledRecords } from "./fill.ts";
import type { FilledMonitors } from "./fill-monitors.ts";

/** Those that are there on an empty server as well. */
export const PAGES = [
  "/dashboard",
  "/runs",
  "/flows",
  "/deployments",
  "/work-pools",
  "/variables",
  "/concurrency-limits",
  "/events",
  "/automations",
  "/automations/new",
  "/deliveries",
  "/webhooks",
  "/slas",
  "/blocks",
  "/blocks/new",
  "/artifacts",
  "/settings",
  "/monitors",
  "/incidents",
  "/maintenance",
  "/status-pages",
  "/nowhere",
];

/** Those that are there only where everybody signs in. */
export const PAGES_OF_ACCOUNTS = [
  "/login",
  "/invitation",
  "/invitation?token=unknown",
  "/profile",
  "/account/members",
  "/account/keys",
  "/account/service-accounts",
  "/account/workspaces",
  "/account/audit",
  "/account/account",
];

/** Those of single things, and the other faces of lists. */
export function pagesOfRuns({
  flow,
  deployment,
  pool,
  runs,
  automations,
}: FilledRecords): string[] {
  const [first, , , running] = runs.map(({ id }) => `/runs/${id}`);
  return [
    "/runs?chart=scatter",
    `${first}`,
    `${first}?tab=logs`,
    `${first}?tab=states`,
    `${first}?tab=parameters`,
    `${first}?tab=artifacts`,
    `${running}`,
    `/runs/compare?a=${runs[0]?.id}&b=${runs[3]?.id}`,
    `/flows/${flow.id}`,
    `/deployments/${deployment.id}`,
    `/work-pools/${pool.name}`,
    `/automations/${automations.automation}`,
    `/automations/${automations.automation}?tab=trace`,
    `/automations/${automations.automation}?tab=deliveries`,
    `/automations/${automations.automation}/edit`,
    `/blocks/${automations.block}`,
    "/blocks/new?type=custom-webhook",
    "/artifacts/daily-report",
  ];
}

export function monitorPagePaths({ monitors, page }: FilledMonitors): string[] {
  const [shop, mail, , clinic] = monitors.map(({ id }) => id);
  return [
    "/monitors/new",
    "/monitors?states=down&tags=prod",
    `/monitors/${shop}`,
    `/monitors/${mail}?tab=incidents`,
    `/monitors/${clinic}`,
    `/monitors/${clinic}?tab=settings`,
    `/monitors/${mail}/edit`,
    `/monitors/${clinic}/edit`,
    `/status-pages/${page.id}`,
    `/status-pages/${page.id}?tab=reports`,
    `/uptime/status/${page.slug}`,
  ];
}
