import "./events.css";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type JSX, useEffect, useRef, useState } from "react";
import { curlTo } from "../../api/curl.ts";
import { type Count, CountBars } from "../../charts/count-bars.tsx";
import { shortly } from "../../lib/time.ts";
import { counted } from "../../lib/words.ts";
import { PageLink } from "../../navigation/link.tsx";
import { navigate, useSearch } from "../../navigation/location.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Segments } from "../../ui/form.tsx";
import { SearchBox } from "../../ui/search-box.tsx";
import { Card, Empty, NoticeBox, PageFrame, Skeleton } from "../../ui/surface.tsx";
import { type RunWindow, WINDOW_WORDS } from "../runs/runs-search.ts";
import { EventDetails } from "./event-details.tsx";
import { EventList } from "./event-list.tsx";
import { EVENT_COUNTS, eventCounts, eventQuery } from "./events-queries.ts";
import { type EventsSearch, readEventsSearch, searchWindowOf } from "./events-search.ts";
import { type EventStream, useEventStream } from "./use-event-stream.ts";

const COUNT_MS = 3000;

/** What happens, as it happens. */
export function EventsPage(): JSX.Element {
  const [search, setSearch] = useSearch(readEventsSearch);
  const [isPaused, setPaused] = useState(false);
  const stream = useEventStream(search, isPaused);
  const counts = useCounts(search, stream.total);
  const isPast = search.until !== undefined;
  return (
    <PageFrame title="Events">
      <Card
        title={<Title search={search} total={stream.total} />}
        actions={
          <Segments<RunWindow | "">
            label="Time"
            options={WINDOW_WORDS}
            value={isPast ? "" : searchWindowOf(search)}
            onValue={(window) =>
              setSearch({
                window: window as RunWindow,
                since: "",
                until: "",
              } as Partial<EventsSearch>)
            }
          />
        }
      >
        <CountBars
          counts={counts}
          what="event"
          onPick={({ start, end }) => setSearch({ since: start, until: end })}
        />
      </Card>
      <search className="row">
        <SearchBox
          label="Name begins with"
          value={search.name ?? ""}
          onValue={(name) => setSearch({ name })}
        />
        <SearchBox
          label="Resource ID begins with"
          value={search.resource ?? ""}
          onValue={(resource) => setSearch({ resource })}
        />
        <SearchBox
          label="Contains text"
          value={search.text ?? ""}
          onValue={(text) => setSearch({ text })}
        />
        <span style={{ flex: 1 }} />
        {!isPast && (
          <span className="row" style={{ flexWrap: "nowrap" }}>
            <span className="events__live" data-live={!isPaused} role="status">
              <i /> {isPaused ? `Paused, ${stream.waiting} waiting` : "Live"}
            </span>
            <Button icon={isPaused ? "play" : "pause"} onClick={() => setPaused(!isPaused)}>
              {isPaused ? "Resume" : "Pause"}
            </Button>
          </span>
        )}
      </search>
      {stream.error !== undefined && <NoticeBox kind="error">{stream.error}</NoticeBox>}
      <Card flush>
        <Stream
          stream={stream}
          isNarrowed={Object.keys(search).some((key) => key !== "event" && key !== "window")}
          onOpen={(event) => setSearch({ event })}
        />
      </Card>
      {search.event && <Opened id={search.event} onClose={() => setSearch({ event: "" })} />}
    </PageFrame>
  );
}

/** Counted anew when more have come, with a pause in between. */
function useCounts(search: EventsSearch, total: number): readonly Count[] {
  const queries = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      void queries.invalidateQueries({ queryKey: [EVENT_COUNTS] }, { cancelRefetch: false });
    }, COUNT_MS);
  }, [queries, total]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return useQuery(eventCounts(search)).data ?? [];
}

function Title({
  search: { since, until },
  total,
}: {
  readonly search: EventsSearch;
  readonly total: number;
}): JSX.Element {
  return (
    <span className="num">
      {counted(total, "event")}
      {since && until && (
        <span className="soft">{` from ${shortly(since)} to ${shortly(until)}`}</span>
      )}
    </span>
  );
}

function Stream({
  stream: { events, total, loadOlder },
  isNarrowed,
  onOpen,
}: {
  readonly stream: EventStream;
  readonly isNarrowed: boolean;
  readonly onOpen: (id: string) => void;
}): JSX.Element {
  if (events === undefined)
    return (
      <div style={{ padding: 16 }}>
        <Skeleton lines={6} />
      </div>
    );
  if (events.length === 0)
    return isNarrowed ? (
      <Empty icon="filter" title="No matching events">
        <Button onClick={() => navigate("/events")}>Show all events</Button>
      </Empty>
    ) : (
      <Empty icon="event" title="No events in this time range" command={EMIT}>
        <p>
          Events of runs, deployments, monitors and other resources appear here as they happen. You
          can also send your own, through the API or a <PageLink to="/webhooks">webhook</PageLink>.
        </p>
      </Empty>
    );
  return (
    <>
      <EventList events={events} onOpen={onOpen} />
      <div className="events__foot">
        <span className="num">
          {events.length.toLocaleString("en")} of {counted(total, "event")}
        </span>
        {loadOlder && (
          <Button small icon="down" onClick={() => void loadOlder()}>
            Older
          </Button>
        )}
      </div>
    </>
  );
}

const EMIT = `${curlTo("/events")} -d '[{
  "id": "'$(uuidgen)'", "occurred": "'$(date -u +%FT%TZ)'",
  "event": "order.shipped", "resource": {"orchestrator.resource.id": "order.1"}}]'`;

function Opened({
  id,
  onClose,
}: {
  readonly id: string;
  readonly onClose: () => void;
}): JSX.Element {
  const { data: event } = useQuery(eventQuery(id));
  return (
    <Dialog wide title={event?.event ?? "Event"} onClose={onClose}>
      {event ? <EventDetails event={event} /> : <Skeleton lines={6} />}
      <div className="dialog__foot">
        <Button onClick={() => navigate(`/events/${id}`)}>Open as page</Button>
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}
