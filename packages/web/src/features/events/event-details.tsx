import "./events.css";
import type { JSX } from "react";
import { exactly } from "../../lib/time.ts";
import { Link } from "../../navigation/link.tsx";
import { pathWith } from "../../navigation/location.ts";
import { Json } from "../../ui/json.tsx";
import { Facts } from "../../ui/surface.tsx";
import { Ago } from "../../ui/time.tsx";
import {
  type KeptEvent,
  kindOf,
  type Labels,
  otherLabels,
  resourceId,
  resourceName,
  roleOf,
} from "./event-labels.ts";
import { ResourceLink } from "./resource-link.tsx";

/** All that an event says. */
export function EventDetails({ event }: { readonly event: KeptEvent }): JSX.Element {
  const { resource, related, payload, follows, occurred, received } = event;
  return (
    <div className="stack">
      <Facts
        items={[
          [
            "Occurred",
            <>
              <Ago time={occurred} /> <span className="soft">· {exactly(occurred)}</span>
            </>,
          ],
          ["Received", <span className="soft">{exactly(received)}</span>],
          ["Follows", follows && <Link to={`/events/${follows}`}>preceding event</Link>],
          ["ID", <code>{event.id}</code>],
        ]}
      />
      <section className="stack-tight">
        <h3>Resource</h3>
        <Resource labels={resource} />
      </section>
      {related.length > 0 && (
        <section className="stack-tight">
          <h3>Related</h3>
          <div>
            {related.map((labels, i) => (
              <Resource key={i} labels={labels} />
            ))}
          </div>
        </section>
      )}
      <section className="stack-tight">
        <h3>Payload</h3>
        {Object.keys(payload).length === 0 ? (
          <p className="soft">No payload.</p>
        ) : (
          <Json label="Payload" value={payload} />
        )}
      </section>
    </div>
  );
}

function Resource({ labels }: { readonly labels: Labels }): JSX.Element {
  const role = roleOf(labels);
  const others = otherLabels(labels);
  return (
    <div className="event__resource">
      <div className="spread">
        <span className="row">
          <ResourceLink labels={labels} />
          {role && <span className="tag">{role}</span>}
        </span>
        <Link to={pathWith("/events", { resource: resourceId(labels) })}>
          Events of this resource
        </Link>
      </div>
      {(resourceName(labels) !== resourceId(labels) || kindOf(resourceId(labels))) && (
        <code className="faint" style={{ overflowWrap: "anywhere" }}>
          {resourceId(labels)}
        </code>
      )}
      {others.length > 0 && (
        <div className="event__labels mono">
          {others.map(([name, value]) => (
            <div key={name} style={{ display: "contents" }}>
              <span className="soft">{name}</span>
              <span>{value || "–"}</span>
            </div>
          ))}
        </div>
      )}
    </div>
  );
}
