import type { Deployment, DeploymentSchedule } from "@orchestrator/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type JSX, useState } from "react";
import { api } from "../../api/client.ts";
import { useMay } from "../../api/rights.ts";
import { exactly, OWN_ZONE, shortly } from "../../lib/time.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { CheckboxField } from "../../ui/form.tsx";
import { Card, Empty } from "../../ui/surface.tsx";
import { useSwitch } from "../../ui/use-switch.ts";
import { ScheduleDialog } from "./schedule-dialog.tsx";
import { scheduleRemarks, scheduleWords } from "./schedule-words.ts";

const NEXT = 5;

/** The schedules in words, and the next times in the zone of whoever looks. */
export function Schedules({ deployment }: { readonly deployment: Deployment }): JSX.Element {
  const { id, schedules, paused } = deployment;
  const [adding, setAdding] = useState(false);
  const preview = useQuery({
    queryKey: ["deployments", "next", id, deployment.updated],
    enabled: schedules.some(({ active }) => active) && !paused,
    queryFn: ({ signal }) => api.deployments.previewSchedules(id, { limit: NEXT }, { signal }),
  });
  return (
    <Card
      title="Schedules"
      actions={
        <Button needs="write" small icon="plus" onClick={() => setAdding(true)}>
          Add
        </Button>
      }
    >
      <div className="stack">
        {schedules.length === 0 && (
          <Empty icon="clock" title="No schedules">
            <p>It runs only when started manually, by the API or by an automation.</p>
          </Empty>
        )}
        {schedules.map((schedule) => (
          <One key={schedule.id} deployment={deployment} schedule={schedule} />
        ))}
        {preview.data && preview.data.times.length > 0 && (
          <div className="stack-tight">
            <h3>
              Next <span className="soft">in {OWN_ZONE}</span>
            </h3>
            {preview.data.times.map(({ time, schedule_id }) => (
              <div key={`${time} ${schedule_id}`} className="num" title={exactly(time)}>
                {shortly(time)}
              </div>
            ))}
          </div>
        )}
      </div>
      {adding && <ScheduleDialog deployment={deployment} onClose={() => setAdding(false)} />}
    </Card>
  );
}

function One({
  deployment,
  schedule,
}: {
  readonly deployment: Deployment;
  readonly schedule: DeploymentSchedule;
}): JSX.Element {
  const queries = useQueryClient();
  const [asking, setAsking] = useState<"change" | "delete">();
  const close = () => setAsking(undefined);
  const words = scheduleWords(schedule.schedule);
  const notes = scheduleRemarks(schedule);
  const label = (
    <>
      {words}
      {notes.length > 0 && <span className="soft check__note">{notes.join(" · ")}</span>}
    </>
  );
  const mayChange = useMay("write");
  const changed = () => queries.invalidateQueries({ queryKey: ["deployments"] });
  const [isActive, flip] = useSwitch(schedule.active, async (active) => {
    await api.deployments.updateSchedule(deployment.id, schedule.id, { active });
    await changed();
  });
  return (
    <div className="spread" style={{ flexWrap: "nowrap" }}>
      <CheckboxField label={label} checked={isActive} disabled={!mayChange} onChange={flip} />
      <span className="row" style={{ flexWrap: "nowrap", flexShrink: 0 }}>
        <IconButton
          needs="write"
          icon="edit"
          label={`Edit: ${words}`}
          small
          onClick={() => setAsking("change")}
        />
        <IconButton
          needs="write"
          icon="trash"
          label={`Delete: ${words}`}
          small
          onClick={() => setAsking("delete")}
        />
      </span>
      {asking === "change" && (
        <ScheduleDialog deployment={deployment} schedule={schedule} onClose={close} />
      )}
      {asking === "delete" && (
        <Confirm
          title="Delete this schedule?"
          verb="Delete schedule"
          onClose={close}
          onConfirm={async () => {
            await api.deployments.deleteSchedule(deployment.id, schedule.id);
            await changed();
          }}
        >
          {words}. Its runs that have not started are deleted with it.
        </Confirm>
      )}
    </div>
  );
}
