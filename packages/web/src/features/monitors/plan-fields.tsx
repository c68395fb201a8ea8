import { type JSX, useState } from "react";
import { Input, LabeledField, Segments } from "../../ui/form.tsx";
import { Card, NoticeBox } from "../../ui/surface.tsx";
import type { MonitorFormDraft } from "./monitor-draft.ts";
import { MonitorPicker } from "./monitor-picker.tsx";
import { ScheduleFields } from "./schedule-fields.tsx";

const PLANS = [
  ["interval", "Interval"],
  ["schedule", "Cron schedule"],
] as const;

/** When it runs, and when somebody is told. */
export function PlanFields({
  draft,
  isTight,
  ownId,
  problem,
  onChange,
}: {
  readonly draft: MonitorFormDraft;
  /** A run may still be under way when the next is due. */
  readonly isTight: boolean;
  readonly ownId: string | undefined;
  readonly problem: string | undefined;
  readonly onChange: (some: Partial<MonitorFormDraft>) => void;
}): JSX.Element {
  const { plan, interval, schedule, timezone, confirmDown, confirmUp, parents } = draft;
  // Only at first: it must not close while somebody empties a field in it.
  const [wasChosen] = useState(confirmDown > 1 || confirmUp > 1 || parents.length > 0);
  const number = (value: number, key: "interval" | "confirmDown" | "confirmUp", least: number) => ({
    type: "number",
    min: least,
    value: Number.isNaN(value) ? "" : value,
    onChange: ({ target }: { readonly target: HTMLInputElement }) =>
      onChange({ [key]: target.valueAsNumber }),
  });
  return (
    <Card title="When">
      <div className="stack">
        <div>
          <Segments
            label="Plan"
            options={PLANS}
            value={plan}
            onValue={(next) => onChange({ plan: next })}
          />
        </div>
        {plan === "interval" ? (
          <LabeledField label="Seconds between checks" error={problem}>
            {(field) => <Input {...field} {...number(interval, "interval", 1)} />}
          </LabeledField>
        ) : (
          <ScheduleFields
            schedule={schedule}
            timezone={timezone}
            problem={problem}
            onChange={onChange}
          />
        )}
        {isTight && (
          <NoticeBox kind="warn">
            The checks may take longer than the interval; checks are then skipped. Choose a longer
            interval or shorter timeouts.
          </NoticeBox>
        )}
        <details open={wasChosen}>
          <summary className="soft">Confirmation and dependencies</summary>
          <div className="stack" style={{ marginTop: 12 }}>
            <div className="grid">
              <LabeledField
                label="Down after (results)"
                hint="Consecutive results before an incident opens"
              >
                {(field) => <Input {...field} {...number(confirmDown, "confirmDown", 1)} />}
              </LabeledField>
              <LabeledField label="Up after (results)">
                {(field) => <Input {...field} {...number(confirmUp, "confirmUp", 1)} />}
              </LabeledField>
            </div>
            <MonitorPicker
              label="Depends on"
              hint="While one of these is down, this monitor sends no alerts."
              except={ownId}
              picked={parents}
              onPick={(picked) => onChange({ parents: picked })}
            />
          </div>
        </details>
      </div>
    </Card>
  );
}
