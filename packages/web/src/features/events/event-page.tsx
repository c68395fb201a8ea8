import { useQuery } from "@tanstack/react-query";
import type { JSX } from "react";
import { errorText } from "../../lib/error-text.ts";
import type { PageProps } from "../../navigation/page-props.ts";
import { Card, Empty, NoticeBox, PageFrame, Skeleton } from "../../ui/surface.tsx";
import { EventDetails } from "./event-details.tsx";
import { eventQuery } from "./events-queries.ts";

export function EventPage({ params }: PageProps): JSX.Element {
  const { data: event, error } = useQuery(eventQuery(params["id"] ?? ""));
  return (
    <PageFrame title={event?.event ?? "Event"} crumbs={[{ label: "Events", to: "/events" }]}>
      {error && <NoticeBox kind="error">{errorText(error)}</NoticeBox>}
      <Card>
        {event === undefined && !error && <Skeleton lines={6} />}
        {event === null && (
          <Empty icon="event" title="Event not found">
            <p>It may be older than the retention period for events.</p>
          </Empty>
        )}
        {event && <EventDetails event={event} />}
      </Card>
    </PageFrame>
  );
}
