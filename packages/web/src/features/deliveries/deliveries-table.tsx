import type { Delivery, DeliveryStatus } from "@orchestrator/contract";
import type { JSX, ReactNode } from "react";
import { PageLink } from "../../navigation/link.tsx";
import { StateBadge } from "../../ui/state.tsx";
import { Table } from "../../ui/table.tsx";
import { Ago } from "../../ui/time.tsx";

const LOOKS: Readonly<Record<DeliveryStatus, readonly [state: string, word: string]>> = {
  PENDING: ["PENDING", "Waiting"],
  DELIVERED: ["COMPLETED", "Delivered"],
  FAILED: ["FAILED", "Failed"],
};

/** Messages, what has become of them, and when they are tried again. */
export function DeliveriesTable({
  rows,
  empty,
}: {
  readonly rows: readonly Delivery[] | undefined;
  readonly empty: ReactNode;
}): JSX.Element {
  return (
    <Table
      label="Messages"
      rows={rows}
      keyOf={({ id }) => id}
      empty={empty}
      columns={[
        { title: "Status", cell: (delivery) => <Status delivery={delivery} /> },
        {
          title: "Message",
          look: "fill",
          cell: ({ subject, action_type, last_error }) => (
            <>
              <div className="cut" title={subject ?? undefined}>
                {subject ?? (action_type === "call-webhook" ? "Webhook call" : "Message")}
              </div>
              {last_error && (
                <div className="cut soft" title={last_error}>
                  {last_error}
                </div>
              )}
            </>
          ),
        },
        {
          title: "Block",
          look: "wide",
          cell: ({ block_document_id, block_document_name, destination }) => (
            <>
              <PageLink to={`/blocks/${block_document_id}`}>{block_document_name}</PageLink>
              {destination && <div className="soft">{destination}</div>}
            </>
          ),
        },
        {
          title: "Automation",
          look: "wide",
          cell: ({ automation_id, automation_name }) => (
            <div style={{ minWidth: 150 }}>
              <PageLink to={`/automations/${automation_id}`}>{automation_name}</PageLink>
            </div>
          ),
        },
        {
          title: "Attempts",
          look: "wide",
          cell: ({ attempts, status_code }) => (
            <span className="num nowrap">
              {attempts}
              {status_code !== null && <span className="soft"> (HTTP {status_code})</span>}
            </span>
          ),
        },
        { title: "Created", look: "wide", cell: ({ created }) => <Ago time={created} /> },
      ]}
    />
  );
}

function Status({
  delivery: { status, next_attempt, attempts },
}: {
  readonly delivery: Delivery;
}): JSX.Element {
  const [state, word] = LOOKS[status];
  const isRetried = status === "PENDING" && attempts > 0 && next_attempt !== null;
  return (
    <>
      <StateBadge type={isRetried ? "LATE" : state} name={isRetried ? "Retrying" : word} />
      {isRetried && (
        <div className="soft nowrap">
          again <Ago time={next_attempt} />
        </div>
      )}
    </>
  );
}
