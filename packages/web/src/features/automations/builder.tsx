import "./automations.css";
import { ApiError } from "@orchestrator/client";
import type { Action, AutomationCreate } from "@orchestrator/contract";
import { type JSX, useState } from "react";
import { errorText } from "../../lib/error-text.ts";
import { Button } from "../../ui/button.tsx";
import { CheckboxField, Input, LabeledField } from "../../ui/form.tsx";
import { Card, NoticeBox } from "../../ui/surface.tsx";
import { TagsField } from "../../ui/tags-field.tsx";
import { ActionsForm } from "./actions-form.tsx";
import { type AutomationDraft, withShownParameters } from "./draft.ts";
import { JsonEditor } from "./json-editor.tsx";
import { SimulateCard } from "./simulate-card.tsx";
import { TargetsContext, useRunDeployments, useTargetNames } from "./target-names.ts";
import { TriggerForm } from "./trigger-form.tsx";
import { triggerWords } from "./trigger-words.ts";

/** Writes an automation: by forms, or as JSON; each follows the other. */
export function Builder({
  start,
  verb,
  onSave,
}: {
  readonly start: AutomationDraft;
  readonly verb: string;
  readonly onSave: (automation: AutomationCreate) => Promise<void>;
}): JSX.Element {
  const [draft, setDraft] = useState(start);
  // Forms keep what is half typed; when the JSON was changed they begin anew.
  const [edition, setEdition] = useState(0);
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const change = (some: Partial<AutomationDraft>) => setDraft((before) => ({ ...before, ...some }));
  const actions = [...draft.actions, ...draft.actions_on_trigger];
  const targets = { names: useTargetNames(actions), deployments: useRunDeployments(actions) };
  const save = async () => {
    setBusy(true);
    setError(undefined);
    try {
      const { deployments } = targets;
      const shown = {
        actions: withShownParameters(draft.actions, deployments),
        actions_on_trigger: withShownParameters(draft.actions_on_trigger, deployments),
      };
      await onSave({ ...draft, ...shown } as AutomationCreate);
    } catch (reason) {
      setError(reason);
    }
    setBusy(false);
  };
  const problems =
    error instanceof ApiError
      ? Object.fromEntries(error.problems.map(({ where, what }) => [where, what]))
      : {};
  return (
    <form
      className="builder"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <div className="stack" key={edition}>
        <Card>
          <div className="stack">
            <LabeledField label="Name" error={problems["body.name"]}>
              {(field) => (
                <Input
                  {...field}
                  required
                  value={draft.name}
                  onChange={({ target }) => change({ name: target.value })}
                />
              )}
            </LabeledField>
            <LabeledField label="Description">
              {(field) => (
                <Input
                  {...field}
                  value={draft.description}
                  onChange={({ target }) => change({ description: target.value })}
                />
              )}
            </LabeledField>
            <TagsField tags={draft.tags} onTags={(tags) => change({ tags })} />
            <CheckboxField
              label="Enabled"
              checked={draft.enabled}
              onChange={({ target }) => change({ enabled: target.checked })}
            />
          </div>
        </Card>
        <Card title="When">
          <div className="stack">
            <p className="soft">{triggerWords(draft.trigger)}</p>
            <TriggerForm trigger={draft.trigger} onTrigger={(trigger) => change({ trigger })} />
          </div>
        </Card>
        <Card title="Then">
          <div className="stack">
            <TargetsContext value={targets}>
              <ActionsForm
                label="Action"
                problems={problems}
                path="body.actions"
                actions={draft.actions}
                onActions={(actions) => change({ actions })}
              />
              <FiringActions
                problems={problems}
                actions={draft.actions_on_trigger}
                onActions={(actions_on_trigger) => change({ actions_on_trigger })}
              />
            </TargetsContext>
          </div>
        </Card>
        {error !== undefined && <NoticeBox kind="error">{errorText(error)}</NoticeBox>}
        <div className="row">
          <Button needs="write" kind="primary" type="submit" busy={busy}>
            {verb}
          </Button>
        </div>
      </div>
      <div className="stack">
        <SimulateCard trigger={draft.trigger} />
        <Card title="As JSON">
          <JsonEditor<AutomationDraft>
            label="The whole automation in the API's format"
            value={draft}
            isValue={isDraft}
            onValue={(next) => {
              setDraft(next);
              setEdition((before) => before + 1);
            }}
          />
        </Card>
      </div>
    </form>
  );
}

/** Seldom used, so it is closed unless there are any; whoever has opened it keeps it open. */
function FiringActions({
  actions,
  problems,
  onActions,
}: {
  readonly actions: readonly Action[];
  readonly problems: Readonly<Record<string, string>>;
  readonly onActions: (actions: readonly Action[]) => void;
}): JSX.Element {
  const [isOpen, setOpen] = useState(actions.length > 0);
  return (
    <details
      className="more"
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>Actions on trigger</summary>
      <ActionsForm
        label="Action on trigger"
        problems={problems}
        path="body.actions_on_trigger"
        actions={actions}
        onActions={onActions}
      />
    </details>
  );
}

/** What the forms cannot do without; all else is for the server to judge. */
function isDraft(value: unknown): string | undefined {
  const { name, trigger, ...rest } = (value ?? {}) as Partial<
    Record<keyof AutomationDraft, unknown>
  >;
  if (typeof name !== "string") return "A name is required";
  if (!isTrigger(trigger)) return "A trigger of type event, compound or sequence is required";
  const lists = [rest.actions, rest.actions_on_trigger, rest.actions_on_resolve];
  const areActions = lists.every(
    (list) => Array.isArray(list) && list.every((one: unknown) => hasType(one)),
  );
  if (!areActions) return "Actions must be lists of objects with a type";
  return Array.isArray(rest.tags) ? undefined : "Tags must be a list";
}

const hasType = (value: unknown): value is { readonly type: string } =>
  typeof value === "object" && value !== null && "type" in value;

function isTrigger(value: unknown): boolean {
  if (!hasType(value)) return false;
  if (value.type === "event") return true;
  const { triggers } = value as { readonly triggers?: unknown };
  const isSeveral = value.type === "compound" || value.type === "sequence";
  return isSeveral && Array.isArray(triggers) && triggers.every(isTrigger);
}
