import "./automations.css";
import { type JSX, useState } from "react";
import { Button, IconButton } from "../../ui/button.tsx";
import { LabeledField, Select } from "../../ui/form.tsx";
import { asKind, DEEPEST, newEventTrigger, type TriggerDraft, withTriggers } from "./draft.ts";
import { EventTriggerForm } from "./event-trigger-form.tsx";
import { SecondsInput } from "./seconds-input.tsx";
import { triggerWords } from "./trigger-words.ts";

const KINDS = [
  ["event", "Event, or absence of an event"],
  ["compound", "Compound: several triggers, any order"],
  ["sequence", "Sequence: several triggers, in order"],
] as const;

/** A trigger of any kind; those within it are forms of their own. */
export function TriggerForm({
  trigger,
  level = 0,
  onTrigger,
}: {
  readonly trigger: TriggerDraft;
  readonly level?: number;
  readonly onTrigger: (trigger: TriggerDraft) => void;
}): JSX.Element {
  return (
    <div className="stack">
      {level < DEEPEST && (
        <LabeledField label="Kind of trigger">
          {(field) => (
            <Select
              {...field}
              options={KINDS}
              value={trigger.type}
              onValue={(type) => onTrigger(asKind(trigger, type))}
            />
          )}
        </LabeledField>
      )}
      {trigger.type === "event" ? (
        <EventTriggerForm trigger={trigger} onTrigger={onTrigger} />
      ) : (
        <SeveralForm trigger={trigger} level={level} onTrigger={onTrigger} />
      )}
    </div>
  );
}

type Several = Extract<TriggerDraft, { triggers: unknown }>;

function SeveralForm({
  trigger,
  level,
  onTrigger,
}: {
  readonly trigger: Several;
  readonly level: number;
  readonly onTrigger: (trigger: TriggerDraft) => void;
}): JSX.Element {
  const { triggers } = trigger;
  // Fields keep what is being typed: when others move up, all are made anew.
  const [edition, setEdition] = useState(0);
  const put = (next: readonly TriggerDraft[]) => onTrigger(withTriggers(trigger, next));
  return (
    <div className="stack">
      <div className="spans">
        {trigger.type === "compound" && (
          <LabeledField label="How many must fire">
            {(field) => (
              <Select
                {...field}
                value={String(trigger.require)}
                options={[
                  ["all", "All"],
                  ["any", "Any"],
                  ...triggers.map((_, i) => [String(i + 1), `At least ${i + 1}`] as const),
                ]}
                onValue={(wanted) =>
                  onTrigger({
                    ...trigger,
                    require: wanted === "all" || wanted === "any" ? wanted : Number(wanted),
                  })
                }
              />
            )}
          </LabeledField>
        )}
        <SecondsInput
          label="Within"
          hint="Leave empty for no time limit"
          seconds={trigger.within}
          onSeconds={(within) => onTrigger({ ...trigger, within })}
        />
      </div>
      {triggers.map((child, i) => (
        <section key={`${edition} ${i}`} className="trigger-within" aria-label={`Trigger ${i + 1}`}>
          <div className="spread" style={{ flexWrap: "nowrap", alignItems: "start" }}>
            <span>
              <strong>{trigger.type === "sequence" ? `${i + 1}.` : `Trigger ${i + 1}`}</strong>{" "}
              <span className="soft">{triggerWords(child)}</span>
            </span>
            {triggers.length > 1 && (
              <IconButton
                small
                icon="trash"
                label={`Remove trigger ${i + 1}`}
                onClick={() => {
                  put(triggers.filter((_, at) => at !== i));
                  setEdition((before) => before + 1);
                }}
              />
            )}
          </div>
          <TriggerForm
            trigger={child}
            level={level + 1}
            onTrigger={(changed) => put(triggers.map((old, at) => (at === i ? changed : old)))}
          />
        </section>
      ))}
      <div>
        <Button icon="plus" onClick={() => put([...triggers, newEventTrigger()])}>
          Add a trigger
        </Button>
      </div>
    </div>
  );
}
