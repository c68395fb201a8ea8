import type { MaintenanceWindow } from "@orchestrator/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type JSX, useState } from "react";
import { monitorNames } from "../../api/names.ts";
import { uptime } from "../../api/uptime.ts";
import { errorText } from "../../lib/error-text.ts";
import { durationLabel, shortly } from "../../lib/time.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { StateBadge } from "../../ui/state.tsx";
import { Card, Empty, NoticeBox, PageFrame } from "../../ui/surface.tsx";
import { Table } from "../../ui/table.tsx";
import { Ago } from "../../ui/time.tsx";
import { toast, toastError } from "../../ui/toasts.tsx";
import { scheduleWords } from "../deployments/schedule-words.ts";
import { LogOutButton } from "../login/log-out-button.tsx";
import { UptimeGate } from "../login/uptime-gate.tsx";
import { WindowDialog } from "./window-dialog.tsx";

export function MaintenancePage(): JSX.Element {
  return (
    <UptimeGate>
      <Maintenance />
    </UptimeGate>
  );
}

function Maintenance(): JSX.Element {
  const [editing, setEditing] = useState<MaintenanceWindow | "new">();
  const [deleting, setDeleting] = useState<MaintenanceWindow>();
  const queries = useQueryClient();
  const refresh = () => queries.invalidateQueries({ queryKey: ["maintenance"] });
  const { data, error } = useQuery({
    queryKey: ["maintenance", "all"],
    queryFn: async ({ signal }) => (await uptime.maintenance.list({}, { signal })).toSorted(byTime),
  });
  const finish = async ({ id, name }: MaintenanceWindow) => {
    try {
      await uptime.maintenance.finish(id);
      await refresh();
      toast("good", `Finished ${name}`);
    } catch (reason) {
      toastError(reason);
    }
  };
  return (
    <PageFrame
      title="Maintenance"
      actions={
        <>
          <LogOutButton />
          <Button needs="write" kind="primary" icon="plus" onClick={() => setEditing("new")}>
            New window
          </Button>
        </>
      }
    >
      {error && <NoticeBox kind="error">{errorText(error)}</NoticeBox>}
      <Card flush>
        <Table
          label="Maintenance windows"
          rows={data}
          keyOf={({ id }) => id}
          empty={
            <Empty
              icon="maintenance"
              title="No maintenance windows"
              command='orchestrator maintenance create "Database move" --for 2h --tag prod'
            >
              <p>
                During a window its monitors are still checked, but send no alerts, and their uptime
                is not affected.
              </p>
            </Empty>
          }
          columns={[
            { title: "State", look: "wide", cell: (window) => <WindowBadge window={window} /> },
            {
              title: "Window",
              look: "fill",
              cell: ({ name, description, ...rest }) => (
                <div className="stack-tight" style={{ gap: 2 }}>
                  <span className="narrow-only">
                    <WindowBadge window={{ name, description, ...rest }} />
                  </span>
                  <div className="cut" title={name}>
                    {name}
                  </div>
                  {description && (
                    <div className="cut faint" title={description}>
                      {description}
                    </div>
                  )}
                  <span className="narrow-only soft">
                    <NextPeriod window={{ name, description, ...rest }} />
                  </span>
                </div>
              ),
            },
            { title: "Scope", look: "wide", cell: (window) => <Covered window={window} /> },
            { title: "When", look: "wide", cell: (window) => <Plan window={window} /> },
            { title: "Next", look: "wide", cell: (window) => <NextPeriod window={window} /> },
            {
              title: <span className="visually-hidden">Actions</span>,
              cell: (window) => (
                <span
                  className="row"
                  style={{ flexWrap: "nowrap", gap: 2, justifyContent: "flex-end" }}
                >
                  {window.active && (
                    <Button needs="write" small onClick={() => void finish(window)}>
                      Finish now
                    </Button>
                  )}
                  <IconButton
                    needs="write"
                    small
                    icon="edit"
                    label={`Edit ${window.name}`}
                    onClick={() => setEditing(window)}
                  />
                  <IconButton
                    needs="write"
                    small
                    icon="trash"
                    label={`Delete ${window.name}`}
                    onClick={() => setDeleting(window)}
                  />
                </span>
              ),
            },
          ]}
        />
      </Card>
      {editing && (
        <WindowDialog
          window={editing === "new" ? undefined : editing}
          onClose={() => setEditing(undefined)}
        />
      )}
      {deleting && (
        <Confirm
          title={`Delete ${deleting.name}?`}
          verb="Delete window"
          onClose={() => setDeleting(undefined)}
          onConfirm={async () => {
            await uptime.maintenance.delete(deleting.id);
            await refresh();
          }}
        >
          Its monitors send alerts again.
        </Confirm>
      )}
    </PageFrame>
  );
}

function WindowBadge({ window }: { readonly window: MaintenanceWindow }): JSX.Element {
  if (!window.enabled) return <StateBadge type="paused" name="Disabled" />;
  if (window.active) return <StateBadge type="maintenance" name="In progress" />;
  if (window.next === null) return <StateBadge type="CANCELLED" name="Ended" />;
  return <StateBadge type="SCHEDULED" name="Scheduled" />;
}

function Covered({ window }: { readonly window: MaintenanceWindow }): JSX.Element {
  const { monitor_ids, tags, all_monitors } = window;
  const { data: names = [] } = useQuery({ ...monitorNames, enabled: monitor_ids.length > 0 });
  if (all_monitors) return <>All monitors</>;
  const listed = monitor_ids.map((id) => names.find((one) => one.id === id)?.name ?? "…");
  const words = [...listed, ...tags.map((tag) => `tag ${tag}`)];
  return (
    <span title={words.join(", ")} style={{ display: "block", minWidth: 90, maxWidth: 220 }}>
      {words.slice(0, 2).join(", ")}
      {words.length > 2 && ` and ${words.length - 2} more`}
    </span>
  );
}

function NextPeriod({ window }: { readonly window: MaintenanceWindow }): JSX.Element {
  const { current, next } = window;
  if (current)
    return (
      <span className="nowrap">
        ends <Ago time={current.end} />
      </span>
    );
  return next ? <Ago time={next.start} /> : <span className="faint">–</span>;
}

function Plan({ window }: { readonly window: MaintenanceWindow }): JSX.Element {
  const { starts_at, ends_at, schedule, timezone, duration } = window;
  const [first, second] =
    schedule === null
      ? [shortly(starts_at ?? ""), `to ${shortly(ends_at ?? "")}`]
      : [scheduleWords({ cron: schedule }), `for ${durationLabel(duration ?? 0)} (${timezone})`];
  return (
    <span className="stack-tight nowrap" style={{ gap: 0 }}>
      <span>{first}</span>
      <span className="faint">{second}</span>
    </span>
  );
}

/** What takes place first, then what comes next; what is over last, the latest of it first. */
function byTime(a: MaintenanceWindow, b: MaintenanceWindow): number {
  const rank = ({ active, next }: MaintenanceWindow) => (active ? 0 : next ? 1 : 2);
  const start = ({ next, starts_at, created_at }: MaintenanceWindow) =>
    next?.start ?? starts_at ?? created_at;
  if (rank(a) !== rank(b)) return rank(a) - rank(b);
  return rank(a) === 2 ? start(b).localeCompare(start(a)) : start(a).localeCompare(start(b));
}
