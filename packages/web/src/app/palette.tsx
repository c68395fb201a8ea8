import { useQuery } from "@tanstack/react-query";
import { type JSX, useDeferredValue, useState } from "react";
import { api } from "../api/client.ts";
import { SERVICES, type Services } from "../api/services.ts";
import { type BrowserSession, useBrowserSession } from "../api/session.ts";
import { openPath } from "../api/sign-in.ts";
import { uptime } from "../api/uptime.ts";
import { useHasSession } from "../api/uptime-session.ts";
import { prefixOf } from "../api/workspace.ts";
import { navigate } from "../navigation/location.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Icon } from "../ui/icons.tsx";
import { type NavigationTarget, placesWith } from "./places.ts";

const MOST = 16;
const MOST_OF_A_KIND = 4;

/**
 * Goes to a page, a flow, a deployment, a pool, an automation, a run or a monitor by a few letters
 * of its name.
 */
export function Palette({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const services = SERVICES;
  const hasSession = useHasSession();
  const found = useFound(useDeferredValue(text.trim()), {
    ...services,
    uptime: services.uptime && hasSession,
  });
  const places = placesWith(services).flatMap((group) => group.places);
  const shown = [
    ...places.filter(({ label }) => matches(label, text)),
    ...found,
    ...workspacePlaces(useBrowserSession(), text),
  ].slice(0, MOST);
  const go = (place: NavigationTarget | undefined) => {
    if (place === undefined) return;
    onClose();
    if (place.isElsewhere) openPath(place.to);
    else navigate(place.to);
  };
  return (
    <Dialog title="Go to" onClose={onClose}>
      <div className="palette">
        <input
          autoFocus
          role="combobox"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-activedescendant={`palette-${at}`}
          aria-label="Go to"
          placeholder="A page, flow, deployment, pool, automation, run or monitor"
          value={text}
          onChange={({ target }) => {
            setText(target.value);
            setAt(0);
          }}
          onKeyDown={(event) => {
            if (event.key === "ArrowDown") setAt(Math.min(at + 1, shown.length - 1));
            else if (event.key === "ArrowUp") setAt(Math.max(at - 1, 0));
            else if (event.key === "Enter") go(shown[at]);
            else return;
            event.preventDefault();
          }}
        />
        <ul id="palette-list" role="listbox" aria-label="Places">
          {shown.map((place, i) => (
            <li
              key={place.to}
              id={`palette-${i}`}
              role="option"
              aria-selected={i === at}
              onMouseEnter={() => setAt(i)}
              onClick={() => go(place)}
            >
              <Icon name={place.icon} /> {place.label}
            </li>
          ))}
          {shown.length === 0 && <li className="soft">No matches</li>}
        </ul>
      </div>
    </Dialog>
  );
}

const matches = (label: string, text: string): boolean =>
  label.toLowerCase().includes(text.trim().toLowerCase());

function useFound(text: string, has: Services): readonly NavigationTarget[] {
  const { data } = useQuery({
    queryKey: ["palette", text, has],
    enabled: text.length > 1,
    queryFn: async ({ signal }) => {
      const found = await Promise.all([
        has.orchestrator ? runPlaces(text, signal) : [],
        has.uptime ? monitorPlaces(text, signal) : [],
      ]);
      return found.flat();
    },
  });
  return data ?? [];
}

/** Only where they are asked for: there may be a great many. */
function workspacePlaces(
  session: BrowserSession | undefined,
  text: string,
): readonly NavigationTarget[] {
  if (session === undefined || text.trim() === "") return [];
  const found = session.workspaces.filter(({ workspace_name }) => matches(workspace_name, text));
  return found.slice(0, MOST).map((workspace) => ({
    to: prefixOf(workspace),
    label: `${workspace.account_name} / ${workspace.workspace_name}`,
    icon: "layers",
    isElsewhere: true,
  }));
}

async function runPlaces(text: string, signal: AbortSignal): Promise<NavigationTarget[]> {
  const named = (kind: "flows" | "deployments" | "work_pools" | "automations") =>
    api.names.find({ kind, text, limit: MOST_OF_A_KIND }, { signal });
  const [flows, deployments, pools, automations, runs] = await Promise.all([
    named("flows"),
    named("deployments"),
    named("work_pools"),
    named("automations"),
    api.flowRuns.list({ flow_runs: { name: { like_: text } }, limit: MOST_OF_A_KIND }, { signal }),
  ]);
  return [
    ...flows.map(({ id, name }) => ({ to: `/flows/${id}`, label: name, icon: "flow" as const })),
    // Deployments of several flows may have one name.
    ...deployments.map(({ id, name, belongs_to }) => ({
      to: `/deployments/${id}`,
      label: `${belongs_to}/${name}`,
      icon: "deployment" as const,
    })),
    ...pools.map(({ name }) => ({
      to: `/work-pools/${encodeURIComponent(name)}`,
      label: name,
      icon: "pool" as const,
    })),
    ...automations.map(({ id, name }) => ({
      to: `/automations/${id}`,
      label: name,
      icon: "automation" as const,
    })),
    ...runs.map((run) => ({ to: `/runs/${run.id}`, label: run.name, icon: "runs" as const })),
  ];
}

async function monitorPlaces(text: string, signal: AbortSignal): Promise<NavigationTarget[]> {
  const monitors = await uptime.monitors.list({ q: text, limit: 4 }, { signal });
  return monitors.map(({ id, name }) => ({
    to: `/monitors/${id}`,
    label: name,
    icon: "monitor" as const,
  }));
}
