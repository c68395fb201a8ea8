import { authMode } from "../api/auth-mode.ts";
import type { Services } from "../api/services.ts";
import type { IconName } from "../ui/icons.tsx";

export interface NavigationTarget {
  readonly to: string;
  readonly label: string;
  readonly icon: IconName;
  /** Stands in another workspace: the page is loaded anew. */
  readonly isElsewhere?: boolean;
}

/** What the side bar and the command palette offer, in this order. */
const PLACES: readonly {
  readonly group: string | null;
  /** The service without which there is nothing to see there. */
  readonly service: keyof Services | "accounts";
  readonly places: readonly NavigationTarget[];
}[] = [
  {
    group: null,
    service: "orchestrator",
    places: [
      { to: "/dashboard", label: "Dashboard", icon: "dashboard" },
      { to: "/runs", label: "Runs", icon: "runs" },
      { to: "/flows", label: "Flows", icon: "flow" },
      { to: "/deployments", label: "Deployments", icon: "deployment" },
      { to: "/work-pools", label: "Work pools", icon: "pool" },
    ],
  },
  {
    group: "Uptime",
    service: "uptime",
    places: [
      { to: "/monitors", label: "Monitors", icon: "monitor" },
      { to: "/incidents", label: "Incidents", icon: "incident" },
      { to: "/maintenance", label: "Maintenance", icon: "maintenance" },
      { to: "/status-pages", label: "Status pages", icon: "page" },
    ],
  },
  {
    group: "Automate",
    service: "orchestrator",
    places: [
      { to: "/automations", label: "Automations", icon: "automation" },
      { to: "/events", label: "Events", icon: "event" },
      { to: "/deliveries", label: "Deliveries", icon: "up" },
      { to: "/webhooks", label: "Webhooks", icon: "link" },
      { to: "/slas", label: "SLAs", icon: "clock" },
    ],
  },
  {
    group: "Configure",
    service: "orchestrator",
    places: [
      { to: "/blocks", label: "Blocks", icon: "block" },
      { to: "/variables", label: "Variables", icon: "variable" },
      { to: "/concurrency-limits", label: "Concurrency", icon: "limit" },
      { to: "/artifacts", label: "Artifacts", icon: "artifact" },
      { to: "/settings", label: "Settings", icon: "settings" },
    ],
  },
  {
    group: null,
    service: "accounts",
    places: [{ to: "/account", label: "Account", icon: "people" }],
  },
];

/** What there is to see with the services that this server runs. */
export function placesWith(services: Services): typeof PLACES {
  const has = { ...services, accounts: authMode === "accounts" };
  return PLACES.filter(({ service }) => has[service]);
}
