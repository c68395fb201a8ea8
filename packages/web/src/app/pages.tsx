// Every page and where it is. A page's code is fetched when somebody goes there.
import { type ComponentType, type JSX, lazy } from "react";
import { Empty, Page } from "../ui/surface.tsx";
import { Link } from "./link.tsx";
import type { PageProps } from "./page-props.ts";
import { onPreload } from "./preload.ts";

type Loader = () => Promise<{ readonly default: ComponentType<PageProps> }>;

function page<Name extends string>(
  path: string,
  load: () => Promise<Record<Name, ComponentType<PageProps>>>,
  name: Name,
) {
  const loader: Loader = async () => ({ default: (await load())[name] });
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
];

onPreload((path) => void match(path)?.loader());

interface Match extends PageProps {
  readonly loader: Loader;
  readonly Component: ComponentType<PageProps>;
}

function match(path: string): Match | undefined {
  const given = path.split("/").slice(1);
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
    <Page title="Not here">
      <Empty icon="question" title="There is no such page">
        <p>
          What was here may have been deleted. <Link to="/dashboard">Back to the dashboard</Link>
        </p>
      </Empty>
    </Page>
  );
}
