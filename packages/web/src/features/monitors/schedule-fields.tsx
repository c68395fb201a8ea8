import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type JSX, useDeferredValue } from "react";
import { uptime } from "../../api/uptime.ts";
import { errorText } from "../../lib/error-text.ts";
import { shortly } from "../../lib/time.ts";
import { Input, LabeledField } from "../../ui/form.tsx";

/** A cron schedule; its next times are shown while it is written. */
export function ScheduleFields({
  schedule,
  timezone,
  problem,
  onChange,
}: {
  readonly schedule: string;
  readonly timezone: string;
  readonly problem?: string | undefined;
  readonly onChange: (some: { readonly schedule?: string; readonly timezone?: string }) => void;
}): JSX.Element {
  const asked = useDeferredValue({ schedule: schedule.trim(), timezone: timezone.trim() });
  const next = useQuery({
    queryKey: ["schedule-preview", asked],
    enabled: asked.schedule !== "" && asked.timezone !== "",
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    queryFn: ({ signal }) => uptime.monitors.previewSchedule({ ...asked, limit: 5 }, { signal }),
  });
  return (
    <div className="stack-tight">
      <div className="grid">
        <LabeledField
          label="Schedule"
          hint="Cron: minute, hour, day, month, weekday; seconds first where there are six"
          error={next.error ? errorText(next.error) : problem}
        >
          {(field) => (
            <Input
              {...field}
              value={schedule}
              onChange={({ target }) => onChange({ schedule: target.value })}
            />
          )}
        </LabeledField>
        <LabeledField label="Time zone">
          {(field) => (
            <Input
              {...field}
              value={timezone}
              onChange={({ target }) => onChange({ timezone: target.value })}
            />
          )}
        </LabeledField>
      </div>
      {next.data && !next.error && (
        <p className="soft num">
          Next checks in your time zone: {next.data.times.map((time) => shortly(time)).join(" · ")}
        </p>
      )}
    </div>
  );
}
