import type { IconName } from "../ui/icons.tsx";

export interface Place {
  readonly to: string;
  readonly label: string;
  readonly icon: IconName;
}

/** What the side bar and the command palette offer, in this order. */
export const PLACES: readonly {
  readonly group: string | null;
  readonly places: readonly Place[];
}[] = [
  {
    group: null,
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
    places: [
      { to: "/monitors", label: "Monitors", icon: "monitor" },
      { to: "/incidents", label: "Incidents", icon: "incident" },
      { to: "/maintenance", label: "Maintenance", icon: "maintenance" },
      { to: "/status-pages", label: "Status pages", icon: "page" },
    ],
  },
  {
    group: "Automate",
    places: [
      { to: "/automations", label: "Automations", icon: "automation" },
      { to: "/events", label: "Events", icon: "event" },
    ],
  },
  {
    group: "Configure",
    places: [
      { to: "/blocks", label: "Blocks", icon: "block" },
      { to: "/variables", label: "Variables", icon: "variable" },
      { to: "/concurrency-limits", label: "Concurrency", icon: "limit" },
      { to: "/artifacts", label: "Artifacts", icon: "artifact" },
      { to: "/settings", label: "Settings", icon: "settings" },
    ],
  },
];
