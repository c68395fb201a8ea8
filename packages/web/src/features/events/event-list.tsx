import "./events.css";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type JSX, useRef } from "react";
import { exactly, shortTimeLabel } from "../../lib/time.ts";
import { type ReceivedLogEvent, resourceId, resourceKindOf, resourceName } from "./event-labels.ts";

const ROW_PX = 36;
const NARROW_ROW_PX = 56;
const isNarrow = (): boolean => matchMedia("(max-width: 700px)").matches;

/** Only what is in sight is drawn, however many there are. */
export function EventList({
  events,
  onOpen,
}: {
  readonly events: readonly ReceivedLogEvent[];
  readonly onOpen: (id: string) => void;
}): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: events.length,
    getScrollElement: () => box.current,
    estimateSize: () => (isNarrow() ? NARROW_ROW_PX : ROW_PX),
    overscan: 12,
    getItemKey: (index) => events[index]?.id ?? index,
  });
  return (
    // biome-ignore lint/a11y: a box that scrolls must be reachable by keyboard
    <div className="events" ref={box} tabIndex={0} role="region" aria-label="Events">
      <div style={{ height: rows.getTotalSize(), position: "relative" }}>
        {rows.getVirtualItems().map(({ index, key, start, size }) => {
          const event = events[index];
          if (event === undefined) return null;
          return (
            <button
              key={key}
              type="button"
              className="events__row"
              style={{ height: size, transform: `translateY(${start}px)` }}
              onClick={() => onOpen(event.id)}
            >
              <time dateTime={event.occurred} title={exactly(event.occurred)} className="num faint">
                {shortTimeLabel(event.occurred)}
              </time>
              <span className="events__name mono" title={event.event}>
                {event.event}
              </span>
              <span className="events__resource" title={resourceId(event.resource)}>
                {resourceName(event.resource)}
                <span className="faint"> {resourceKindOf(resourceId(event.resource))}</span>
              </span>
            </button>
          );
        })}
      </div>
    </div>
  );
}
