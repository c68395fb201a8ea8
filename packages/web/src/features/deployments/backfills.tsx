import type { Backfill } from "@orchestrator/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type JSX, useState } from "react";
import { api } from "../../api/client.ts";
import { errorText } from "../../lib/error-text.ts";
import { shortly } from "../../lib/time.ts";
import { counted } from "../../lib/words.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { CheckboxField } from "../../ui/form.tsx";
import { StateBadge } from "../../ui/state.tsx";
import { Card, Empty, NoticeBox } from "../../ui/surface.tsx";
import { Table } from "../../ui/table.tsx";
import { toast, toastError } from "../../ui/toasts.tsx";

const SHOWN = 5;
/** It is made of runs: what happens to them changes it. */
const KEY = ["flow-runs", "backfills"];

/** How far the latest backfills of a deployment are. */
export function Backfills({ deploymentId }: { readonly deploymentId: string }): JSX.Element {
  const queries = useQueryClient();
  const [stopping, setStopping] = useState<Backfill>();
  const { data, error } = useQuery({
    queryKey: [...KEY, deploymentId],
    queryFn: ({ signal }) =>
      api.backfills.list(
        { backfills: { deployment_id: { any_: [deploymentId] } }, limit: SHOWN },
        { signal },
      ),
  });
  const resume = async ({ id }: Backfill) => {
    try {
      await api.backfills.resume(id);
      await queries.invalidateQueries({ queryKey: KEY });
      toast("good", "Backfill resumed");
    } catch (error) {
      toastError(error);
    }
  };
  return (
    <Card flush title="Backfills">
      {error && <NoticeBox kind="error">{errorText(error)}</NoticeBox>}
      <Table
        label="Backfills"
        rows={data}
        keyOf={({ id }) => id}
        empty={<Empty icon="clock" title="No backfills yet" />}
        columns={[
          { title: "State", cell: ({ status }) => <StateBadge type={status} /> },
          {
            title: "Range",
            look: "fill",
            cell: (backfill) => (
              <div className="stack-tight" style={{ gap: 2 }}>
                <span>
                  {shortly(backfill.start)} to {shortly(backfill.end)}
                </span>
                <span className="soft num">{progressWords(backfill)}</span>
              </div>
            ),
          },
          {
            title: <span className="visually-hidden">Actions</span>,
            cell: (backfill) =>
              backfill.status === "RUNNING" ? (
                <Button needs="write" small onClick={() => setStopping(backfill)}>
                  Stop
                </Button>
              ) : (
                backfill.status === "CANCELLED" && (
                  <Button needs="write" small onClick={() => void resume(backfill)}>
                    Resume
                  </Button>
                )
              ),
          },
        ]}
      />
      {stopping && <StopDialog backfill={stopping} onClose={() => setStopping(undefined)} />}
    </Card>
  );
}

function StopDialog({
  backfill,
  onClose,
}: {
  readonly backfill: Backfill;
  readonly onClose: () => void;
}): JSX.Element {
  const queries = useQueryClient();
  const [withRuns, setWithRuns] = useState(false);
  return (
    <Confirm
      title="Stop this backfill?"
      verb="Stop it"
      onClose={onClose}
      onConfirm={async () => {
        await api.backfills.cancel(backfill.id, { cancel_runs: withRuns });
        await queries.invalidateQueries({ queryKey: ["flow-runs"] });
      }}
    >
      <div className="stack-tight">
        <p>It creates no more runs. You can resume it later.</p>
        <CheckboxField
          label={`Cancel its ${counted(backfill.active_runs, "run")} that did not end, too`}
          checked={withRuns}
          onChange={({ target }) => setWithRuns(target.checked)}
        />
      </div>
    </Confirm>
  );
}

function progressWords({ total, created_runs, skipped, active_runs }: Backfill): string {
  const said = [`${created_runs} of ${counted(total - skipped, "run")} created`];
  if (active_runs > 0) said.push(`${active_runs} active`);
  if (skipped > 0) said.push(`${skipped} skipped`);
  return said.join(", ");
}
