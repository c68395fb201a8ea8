import type { Action } from "@orchestrator/contract";
import { type JSX, useState } from "react";
import { Button, IconButton } from "../../ui/button.tsx";
import { LabeledField, Select } from "../../ui/form.tsx";
import { ActionForm } from "./action-form.tsx";
import { ACTION_OPTIONS, newAction } from "./action-kinds.ts";

/** Actions in the order in which they are done. */
export function ActionsForm({
  label,
  actions,
  problems,
  path,
  onActions,
}: {
  readonly label: string;
  /** What the server found wrong, by its path; those of the actions begin with `path`. */
  readonly problems: Readonly<Record<string, string>>;
  readonly path: string;
  readonly actions: readonly Action[];
  readonly onActions: (actions: readonly Action[]) => void;
}): JSX.Element {
  // Fields keep what is being typed: when others move up, all are made anew.
  const [edition, setEdition] = useState(0);
  const put = (at: number, action: Action) =>
    onActions(actions.map((old, i) => (i === at ? action : old)));
  return (
    <div className="stack">
      {actions.map((action, i) => (
        <section
          key={`${edition} ${i} ${action.type}`}
          className="trigger-within"
          aria-label={`${label} ${i + 1}`}
        >
          <div className="row" style={{ alignItems: "flex-end", flexWrap: "nowrap" }}>
            <div style={{ flex: 1, minWidth: 0 }}>
              <LabeledField label={`${label} ${i + 1}`}>
                {(field) => (
                  <Select
                    {...field}
                    options={ACTION_OPTIONS}
                    value={action.type}
                    onValue={(type) => put(i, newAction(type))}
                  />
                )}
              </LabeledField>
            </div>
            <IconButton
              icon="trash"
              label={`Remove ${label.toLowerCase()} ${i + 1}`}
              onClick={() => {
                onActions(actions.filter((_, at) => at !== i));
                setEdition((before) => before + 1);
              }}
            />
          </div>
          <ActionForm
            action={action}
            problem={(field) => problems[`${path}.${i}.${field}`]}
            onAction={(changed) => put(i, changed)}
          />
        </section>
      ))}
      <div>
        <Button icon="plus" onClick={() => onActions([...actions, newAction("send-notification")])}>
          Add an action
        </Button>
      </div>
    </div>
  );
}
