import type { EventTrigger } from "@orchestrator/contract";
import { useQuery } from "@tanstack/react-query";
import { type JSX, useState } from "react";
import { Input, LabeledField, Segments } from "../../ui/form.tsx";
import { recentEventNamesQuery } from "./automations-queries.ts";
import { PatternsForm, RelatedPatternsForm } from "./label-patterns.tsx";
import { NamesInput } from "./names-input.tsx";
import { SecondsInput } from "./seconds-input.tsx";

const POSTURES = [
  ["Reactive", "When it happens"],
  ["Proactive", "When it does not happen"],
] as const;

const LABELS = [
  "orchestrator.resource.id",
  "related:deployment:orchestrator.resource.id",
  "related:flow:orchestrator.resource.id",
  "related:work-pool:orchestrator.resource.id",
];

/** What is offered before any event has come. */
const NAMES = [
  ...["Scheduled", "Late", "Pending", "Running", "Completed", "Failed", "Crashed", "Cancelled"].map(
    (state) => `orchestrator.flow-run.${state}`,
  ),
  ...["Down", "Degraded", "Up"].map((status) => `orchestrator.monitor.${status}`),
  ...["ready", "not-ready", "paused"].map((status) => `orchestrator.work-pool.${status}`),
  "orchestrator.sla.violated",
  "orchestrator.sla.restored",
];

export function EventTriggerForm({
  trigger,
  onTrigger,
}: {
  readonly trigger: EventTrigger;
  readonly onTrigger: (trigger: EventTrigger) => void;
}): JSX.Element {
  const [isOnceByDefault, setOnceByDefault] = useState(false);
  const seen = useQuery(recentEventNamesQuery).data ?? [];
  const names = [...new Set([...seen, ...NAMES])];
  const { posture, expect = [], after = [], for_each = [], match = {} } = trigger;
  const change = (some: Partial<EventTrigger>) => onTrigger({ ...trigger, ...some });
  // As it was at first: it does not close under somebody who takes back what they typed.
  const [wasNarrowed] = useState(
    () => after.length + for_each.length + Object.keys(match).length > 0 || hasRelated(trigger),
  );
  return (
    <div className="stack">
      <div>
        <Segments
          label="When it fires"
          options={POSTURES}
          value={posture}
          onValue={(chosen) =>
            // Something can be missing only within a time, of ten seconds at least.
            change({
              posture: chosen,
              ...(chosen === "Proactive" && (trigger.within ?? 0) < 10 && { within: 60 }),
            })
          }
        />
      </div>
      <LabeledField label="Events" hint="* matches anything. Leave empty to match any event">
        {(field) => (
          <NamesInput
            field={field}
            label="Events"
            names={expect}
            known={names}
            placeholder="orchestrator.flow-run.Failed"
            onNames={(next) => change({ expect: [...next] })}
          />
        )}
      </LabeledField>
      <div className="spans">
        <LabeledField label="Threshold">
          {(field) => (
            <Input
              {...field}
              type="number"
              min={1}
              placeholder="1"
              value={isOnceByDefault ? "" : (trigger.threshold ?? 1)}
              onChange={({ target }) => {
                setOnceByDefault(target.value === "");
                change({ threshold: target.value === "" ? 1 : target.valueAsNumber });
              }}
            />
          )}
        </LabeledField>
        <SecondsInput
          label="Within"
          hint={posture === "Reactive" ? "0 means no window" : "How long to wait; at least 10"}
          seconds={trigger.within ?? 0}
          onSeconds={(within) => change({ within: within ?? 0 })}
        />
      </div>
      <details className="more" open={wasNarrowed}>
        <summary>Resources, preceding events, grouping</summary>
        <div className="stack">
          <PatternsForm
            label="Labels of the resource"
            patterns={match}
            onPatterns={(next) => change({ match: next })}
          />
          <RelatedPatternsForm
            patterns={trigger.match_related ?? {}}
            onPatterns={(next) => change({ match_related: next })}
          />
          <LabeledField label="After" hint="Events that must come first; each opens the window">
            {(field) => (
              <NamesInput
                field={field}
                label="After"
                names={after}
                known={names}
                onNames={(next) => change({ after: [...next] })}
              />
            )}
          </LabeledField>
          <LabeledField
            label="For each"
            hint="Labels to group by: each value is counted separately"
          >
            {(field) => (
              <NamesInput
                field={field}
                label="For each"
                names={for_each}
                known={LABELS}
                onNames={(next) => change({ for_each: [...next] })}
              />
            )}
          </LabeledField>
        </div>
      </details>
    </div>
  );
}

function hasRelated({ match_related = {} }: EventTrigger): boolean {
  return Object.keys(match_related).length > 0;
}
