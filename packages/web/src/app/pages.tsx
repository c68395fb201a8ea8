// Every page and where it is. A page's code is fetched when somebody goes there.
import { type ComponentType, type JSX, lazy } from "react";
import { PageLink } from "../navigation/link.tsx";
import type { PageProps } from "../navigation/page-props.ts";
import { onPreload } from "../navigation/preload.ts";
import { Empty, PageFrame } from "../ui/surface.tsx";
import { NotLoaded } from "./not-loaded.tsx";
import { ownAddress } from "./other-addresses.ts";

type Loader = () => Promise<{ readonly default: ComponentType<PageProps> }>;

function page<Name extends string>(
  path: string,
  load: () => Promise<Record<Name, ComponentType<PageProps>>>,
  name: Name,
) {
  const loader: Loader = async () => {
    const code = await load().catch((cause: unknown) => {
      throw new NotLoaded("The code of the page did not load", { cause });
    });
    return { default: code[name] };
  };
  return { parts: path.split("/").slice(1), loader, Component: lazy(loader) };
}

const PAGES = [
  page("/dashboard", () => import("../features/dashboard/dashboard-page.tsx"), "DashboardPage"),
  page("/runs", () => import("../features/runs/runs-page.tsx"), "RunsPage"),
  page("/runs/compare", () => import("../features/runs/compare-page.tsx"), "ComparePage"),
  page("/runs/:id", () => import("../features/runs/run-page.tsx"), "RunPage"),
  page("/flows", () => import("../features/flows/flows-page.tsx"), "FlowsPage"),
  page("/flows/:id", () => import("../features/flows/flow-page.tsx"), "FlowPage"),
  page(
    "/deployments",
    () => import("../features/deployments/deployments-page.tsx"),
    "DeploymentsPage",
  ),
  page(
    "/deployments/:id",
    () => import("../features/deployments/deployment-page.tsx"),
    "DeploymentPage",
  ),
  page("/work-pools", () => import("../features/work-pools/work-pools-page.tsx"), "WorkPoolsPage"),
  page(
    "/work-pools/:name",
    () => import("../features/work-pools/work-pool-page.tsx"),
    "WorkPoolPage",
  ),
  page("/variables", () => import("../features/variables/variables-page.tsx"), "VariablesPage"),
  page(
    "/concurrency-limits",
    () => import("../features/concurrency/limits-page.tsx"),
    "LimitsPage",
  ),
  page(
    "/automations",
    () => import("../features/automations/automations-page.tsx"),
    "AutomationsPage",
  ),
  page(
    "/automations/new",
    () => import("../features/automations/new-automation-page.tsx"),
    "NewAutomationPage",
  ),
  page(
    "/automations/:id",
    () => import("../features/automations/automation-page.tsx"),
    "AutomationPage",
  ),
  page(
    "/automations/:id/edit",
    () => import("../features/automations/edit-automation-page.tsx"),
    "EditAutomationPage",
  ),
  page("/deliveries", () => import("../features/deliveries/deliveries-page.tsx"), "DeliveriesPage"),
  page("/blocks", () => import("../features/blocks/blocks-page.tsx"), "BlocksPage"),
  page("/blocks/new", () => import("../features/blocks/new-block-page.tsx"), "NewBlockPage"),
  page("/blocks/:id", () => import("../features/blocks/block-page.tsx"), "BlockPage"),
  page("/artifacts", () => import("../features/artifacts/artifacts-page.tsx"), "ArtifactsPage"),
  page("/artifacts/:key", () => import("../features/artifacts/artifact-page.tsx"), "ArtifactPage"),
  page("/webhooks", () => import("../features/webhooks/webhooks-page.tsx"), "WebhooksPage"),
  page("/slas", () => import("../features/slas/slas-page.tsx"), "SlasPage"),
  page("/settings", () => import("../features/settings/settings-page.tsx"), "SettingsPage"),
  page(
    "/runs/task-run/:id",
    () => import("../features/redirects/redirect-pages.tsx"),
    "TaskRunRedirect",
  ),
  page(
    "/work-pools/work-pool/:id",
    () => import("../features/redirects/redirect-pages.tsx"),
    "WorkPoolRedirect",
  ),
  page(
    "/blocks/catalog/:slug",
    () => import("../features/redirects/redirect-pages.tsx"),
    "BlockTypeRedirect",
  ),
  page(
    "/blocks/catalog/:slug/create",
    () => import("../features/redirects/redirect-pages.tsx"),
    "BlockTypeRedirect",
  ),
  page("/events", () => import("../features/events/events-page.tsx"), "EventsPage"),
  page("/events/:id", () => import("../features/events/event-page.tsx"), "EventPage"),
  page("/monitors", () => import("../features/monitors/monitors-page.tsx"), "MonitorsPage"),
  page(
    "/monitors/new",
    () => import("../features/monitors/monitor-form-page.tsx"),
    "NewMonitorPage",
  ),
  page("/monitors/:id", () => import("../features/monitors/monitor-page.tsx"), "MonitorPage"),
  page(
    "/monitors/:id/edit",
    () => import("../features/monitors/monitor-form-page.tsx"),
    "EditMonitorPage",
  ),
  page("/incidents", () => import("../features/incidents/incidents-page.tsx"), "IncidentsPage"),
  page(
    "/maintenance",
    () => import("../features/maintenance/maintenance-page.tsx"),
    "MaintenancePage",
  ),
  page(
    "/status-pages",
    () => import("../features/status-pages/status-pages-page.tsx"),
    "StatusPagesPage",
  ),
  page(
    "/status-pages/:id",
    () => import("../features/status-pages/status-page-page.tsx"),
    "StatusPagePage",
  ),
  page("/account", () => import("../features/account/account-page.tsx"), "AccountPage"),
  page("/account/:part", () => import("../features/account/account-page.tsx"), "AccountPage"),
  page("/profile", () => import("../features/profile/profile-page.tsx"), "ProfilePage"),
  page("/login", () => import("../features/session/login-page.tsx"), "LoginPage"),
  page("/invitation", () => import("../features/session/invitation-page.tsx"), "InvitationPage"),
];

// Whoever goes there is told if it does not come.
onPreload(
  (path) =>
    void match(path)
      ?.loader()
      .catch(() => {}),
);

interface Match extends PageProps {
  readonly loader: Loader;
  readonly Component: ComponentType<PageProps>;
}

function match(path: string): Match | undefined {
  // People end addresses with a slash, and mean the same.
  const given = ownAddress(path)
    .replace(/(?<=.)\/$/, "")
    .split("/")
    .slice(1);
  for (const { parts, loader, Component } of PAGES) {
    if (parts.length !== given.length) continue;
    const params: Record<string, string> = {};
    const fits = parts.every((part, i) => {
      const text = decodeURIComponent(given[i] ?? "");
      if (part.startsWith(":")) params[part.slice(1)] = text;
      return part.startsWith(":") ? text !== "" : part === text;
    });
    if (fits) return { params, loader, Component };
  }
  return undefined;
}

export function PageAt({ path }: { readonly path: string }): JSX.Element {
  const found = match(path === "/" ? "/dashboard" : path);
  if (found === undefined) return <NotFound />;
  const { Component, params } = found;
  return <Component params={params} />;
}

function NotFound(): JSX.Element {
  return (
    <PageFrame title="Not found">
      <Empty icon="question" title="Page not found">
        <p>
          It may have been deleted. <PageLink to="/dashboard">Back to the dashboard</PageLink>
        </p>
      </Empty>
    </PageFrame>
  );
}
