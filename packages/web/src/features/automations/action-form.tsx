import type { Action, JsonValue } from "@orchestrator/contract";
import { readWrittenJson, writeReadableJson } from "@orchestrator/exact-json";
import { type JSX, useContext } from "react";
import { CHART_STATE_TYPES, stateWord } from "../../charts/states.ts";
import { CheckboxField, Input, LabeledField, Segments, Select, TextArea } from "../../ui/form.tsx";
import { SchemaForm } from "../../ui/schema-form.tsx";
import { JsonInput } from "../../ui/schema-inputs.tsx";
import type { Values } from "../../ui/schema-shape.ts";
import { schemaOverOwn } from "../parameters/parameters-schema.ts";
import { type ActionTargetKind, actionTargetOf } from "./action-kinds.ts";
import { BlockPicker, TargetPicker } from "./pickers.tsx";
import { SecondsInput } from "./seconds-input.tsx";
import { TargetsContext } from "./target-names.ts";

interface ActionProps<Kind extends Action = Action> {
  readonly action: Kind;
  /** What the server found wrong with a field. */
  readonly problem: (field: string) => string | undefined;
  readonly onAction: (action: Action) => void;
}

/** What one action needs to know. */
export function ActionForm({ action, problem, onAction }: ActionProps): JSX.Element | null {
  if (action.type === "send-notification")
    return <MessageForm {...{ action, problem, onAction }} />;
  if (action.type === "call-webhook") return <WebhookForm {...{ action, problem, onAction }} />;
  if (action.type === "change-flow-run-state")
    return <StateForm {...{ action, problem, onAction }} />;
  const target = actionTargetOf(action.type);
  if (target === undefined)
    return action.type === "do-nothing" ? null : (
      <p className="soft">Applies to the run named by the event.</p>
    );
  return (
    <div className="stack">
      <TargetForm {...{ action, target, problem, onAction }} />
      {action.type === "run-deployment" && <RunForm {...{ action, problem, onAction }} />}
    </div>
  );
}

const SOURCES = [
  ["selected", "A specific one"],
  ["inferred", "The one named by the event"],
] as const;

function TargetForm({
  action,
  target: { kind, field },
  problem,
  onAction,
}: ActionProps & { readonly target: ActionTargetKind }): JSX.Element {
  const values = action as unknown as Values;
  const id = values[field] as string | null | undefined;
  const source = values["source"] === "inferred" ? "inferred" : "selected";
  const put = (some: object) => onAction({ ...action, ...some });
  const word = kind.replace("-", " ");
  return (
    <div className="stack-tight">
      <div>
        <Segments
          label={`Which ${word}`}
          options={SOURCES}
          value={source}
          onValue={(chosen) =>
            put({ source: chosen, ...(chosen === "inferred" && { [field]: null }) })
          }
        />
      </div>
      {source === "selected" && (
        <TargetPicker
          kind={kind}
          label={word.charAt(0).toUpperCase() + word.slice(1)}
          id={id}
          error={problem(field)}
          onId={(chosen) => put({ [field]: chosen })}
        />
      )}
    </div>
  );
}

type RunAction = Extract<Action, { type: "run-deployment" }>;

function RunForm({ action, onAction }: ActionProps<RunAction>): JSX.Element {
  const { deployments } = useContext(TargetsContext);
  const chosen = deployments.get(action.deployment_id ?? "");
  const schema = chosen?.parameter_openapi_schema && schemaOverOwn(chosen);
  const hasForm = Object.keys(schema?.["properties"] ?? {}).length > 0;
  const parameters = (action.parameters ?? {}) as Values;
  return (
    <>
      <fieldset className="nested">
        <legend>Parameters</legend>
        {schema && hasForm ? (
          <SchemaForm
            key={chosen?.id}
            schema={schema}
            values={parameters}
            onValues={(values) => onAction({ ...action, parameters: values })}
          />
        ) : (
          <JsonInput
            field={{ "aria-label": "Parameters" }}
            value={parameters}
            onValue={(value) => onAction({ ...action, parameters: (value ?? {}) as Values })}
          />
        )}
      </fieldset>
      <details className="more">
        <summary>Delay and job variables</summary>
        <div className="stack">
          <SecondsInput
            label="Start after"
            hint="Leave empty to start immediately"
            seconds={action.schedule_after}
            onSeconds={(schedule_after) => onAction({ ...action, schedule_after })}
          />
          <LabeledField label="Job variables">
            {(field) => (
              <JsonInput
                field={field}
                value={(action.job_variables ?? undefined) as JsonValue | undefined}
                onValue={(value) =>
                  onAction({ ...action, job_variables: (value ?? null) as Values | null })
                }
              />
            )}
          </LabeledField>
        </div>
      </details>
    </>
  );
}

const TEMPLATE_HINT =
  "A template: {{ event.resource.name }}, {{ flow_run.name }}, {{ flow_run|ui_url }}, {{ labels.shop }}, {{ variables.team }}";

function MessageForm({
  action,
  problem,
  onAction,
}: ActionProps<Extract<Action, { type: "send-notification" }>>): JSX.Element {
  return (
    <div className="stack">
      <BlockPicker
        what="notify"
        label="Notification block"
        id={action.block_document_id}
        error={problem("block_document_id")}
        onId={(id) => onAction({ ...action, block_document_id: id ?? "" })}
      />
      <LabeledField label="Subject" error={problem("subject")}>
        {(field) => (
          <Input
            {...field}
            value={action.subject ?? ""}
            onChange={({ target }) => onAction({ ...action, subject: target.value })}
          />
        )}
      </LabeledField>
      <LabeledField label="Body" hint={TEMPLATE_HINT} error={problem("body")}>
        {(field) => (
          <TextArea
            {...field}
            value={action.body}
            onChange={({ target }) => onAction({ ...action, body: target.value })}
          />
        )}
      </LabeledField>
    </div>
  );
}

function WebhookForm({
  action,
  problem,
  onAction,
}: ActionProps<Extract<Action, { type: "call-webhook" }>>): JSX.Element {
  const { payload } = action;
  return (
    <div className="stack">
      <BlockPicker
        what="webhook"
        label="Webhook block"
        id={action.block_document_id}
        error={problem("block_document_id")}
        onId={(id) => onAction({ ...action, block_document_id: id ?? "" })}
      />
      <LabeledField
        label="Payload"
        hint={`${TEMPLATE_HINT}. JSON is sent as JSON, with templates in its texts`}
      >
        {(field) => (
          <TextArea
            {...field}
            defaultValue={typeof payload === "string" ? payload : writeReadableJson(payload ?? "")}
            onChange={({ target }) => onAction({ ...action, payload: jsonOrText(target.value) })}
          />
        )}
      </LabeledField>
    </div>
  );
}

/** Only objects and lists are taken as JSON: a template is often a number or a word as well. */
function jsonOrText(text: string): JsonValue {
  try {
    const value = readWrittenJson(text) as JsonValue;
    return typeof value === "object" && value !== null ? value : text;
  } catch {
    return text;
  }
}

function StateForm({
  action,
  onAction,
}: ActionProps<Extract<Action, { type: "change-flow-run-state" }>>): JSX.Element {
  return (
    <div className="stack">
      <div className="spans">
        <LabeledField label="State">
          {(field) => (
            <Select
              {...field}
              value={action.state}
              options={CHART_STATE_TYPES.map((type) => [type, stateWord(type)] as const)}
              onValue={(state) => onAction({ ...action, state: state as typeof action.state })}
            />
          )}
        </LabeledField>
        <LabeledField label="Name" hint="Leave empty for the default name">
          {(field) => (
            <Input
              {...field}
              value={action.name ?? ""}
              onChange={({ target }) => onAction({ ...action, name: target.value || null })}
            />
          )}
        </LabeledField>
      </div>
      <LabeledField label="Message">
        {(field) => (
          <Input
            {...field}
            value={action.message ?? ""}
            onChange={({ target }) => onAction({ ...action, message: target.value || null })}
          />
        )}
      </LabeledField>
      <CheckboxField
        label="Force (skip orchestration rules)"
        checked={action.force === true}
        onChange={({ target }) => onAction({ ...action, force: target.checked })}
      />
    </div>
  );
}
