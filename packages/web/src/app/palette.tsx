import { useQuery } from "@tanstack/react-query";
import { type JSX, useDeferredValue, useState } from "react";
import { api } from "../api/client.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Icon } from "../ui/icons.tsx";
import { navigate } from "./location.ts";
import { PLACES, type Place } from "./places.ts";

const ALL_PLACES = PLACES.flatMap(({ places }) => places);
const MOST = 12;

/** Goes to a page, a flow, a deployment or a run by a few letters of its name. */
export function Palette({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const found = useFound(useDeferredValue(text.trim()));
  const shown = [...ALL_PLACES.filter(({ label }) => matches(label, text)), ...found].slice(
    0,
    MOST,
  );
  const go = (place: Place | undefined) => {
    if (place === undefined) return;
    onClose();
    navigate(place.to);
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
          placeholder="A page, flow, deployment or run"
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
          {shown.length === 0 && <li className="soft">Nothing has that name</li>}
        </ul>
      </div>
    </Dialog>
  );
}

const matches = (label: string, text: string): boolean =>
  label.toLowerCase().includes(text.trim().toLowerCase());

function useFound(text: string): readonly Place[] {
  const { data } = useQuery({
    queryKey: ["palette", text],
    enabled: text.length > 1,
    queryFn: async ({ signal }) => {
      const name = { like_: text };
      const [flows, deployments, runs] = await Promise.all([
        api.flows.list({ flows: { name }, limit: 4 }, { signal }),
        api.deployments.list({ deployments: { name }, limit: 4 }, { signal }),
        api.flowRuns.list({ flow_runs: { name }, limit: 4 }, { signal }),
      ]);
      return [
        ...flows.map((flow) => ({
          to: `/flows/${flow.id}`,
          label: flow.name,
          icon: "flow" as const,
        })),
        ...deployments.map(({ id, name: label }) => ({
          to: `/deployments/${id}`,
          label,
          icon: "deployment" as const,
        })),
        ...runs.map((run) => ({ to: `/runs/${run.id}`, label: run.name, icon: "runs" as const })),
      ];
    },
  });
  return data ?? [];
}
