import "./events.css";
import type { JSX } from "react";
import { exactly } from "../../lib/time.ts";
import { PageLink } from "../../navigation/link.tsx";
import { pathWith } from "../../navigation/location.ts";
import { Json } from "../../ui/json.tsx";
import { Facts } from "../../ui/surface.tsx";
import { Ago } from "../../ui/time.tsx";
import {
  type EventLabels,
  otherLabels,
  type ReceivedLogEvent,
  resourceId,
  resourceKindOf,
  resourceName,
  roleOf,
} from "./event-labels.ts";
import { ResourceLink } from "./resource-link.tsx";

/** All that an event says. */
export function EventDetails({ event }: { readonly event: ReceivedLogEvent }): JSX.Element {
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
          ["Follows", follows && <PageLink to={`/events/${follows}`}>preceding event</PageLink>],
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

function Resource({ labels }: { readonly labels: EventLabels }): JSX.Element {
  const role = roleOf(labels);
  const others = otherLabels(labels);
  return (
    <div className="event__resource">
      <div className="spread">
        <span className="row">
          <ResourceLink labels={labels} />
          {role && <span className="tag">{role}</span>}
        </span>
        <PageLink to={pathWith("/events", { resource: resourceId(labels) })}>
          Events of this resource
        </PageLink>
      </div>
      {(resourceName(labels) !== resourceId(labels) || resourceKindOf(resourceId(labels))) && (
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
