// What can be changed of a deployment in the web UI: each field with how it is read, sent and
// shown.

import type { Deployment, DeploymentUpdate, OnCollision } from "@orchestrator/contract";
import { writeReadableJson } from "@orchestrator/exact-json";
import type { JSX } from "react";
import { parseObject } from "../../lib/read-object.ts";
import { LabeledField, Select } from "../../ui/form.tsx";
import { SchemaForm } from "../../ui/schema-form.tsx";
import { TagsField } from "../../ui/tags-field.tsx";
import { TextAreaField, TextField } from "../../ui/text-field.tsx";
import { deploymentParametersOf, schemaOf } from "../parameters/parameters-schema.ts";

interface Shown<Value> {
  readonly value: Value;
  readonly onValue: (value: Value) => void;
  readonly deployment: Deployment;
  readonly draft: Draft;
}

interface FormField<Value> {
  readonly field: keyof DeploymentUpdate;
  readonly read: (deployment: Deployment) => Value;
  readonly send: (value: Value, deployment: Deployment) => unknown;
  readonly Input: (props: Shown<Value>) => JSX.Element | null;
  readonly isSame?: (before: Value, value: Value) => boolean;
  /** Why the value cannot be sent. */
  readonly problem?: (value: Value) => string | undefined;
}

/** The values of the form, by their fields. */
export type Draft = Readonly<Record<string, unknown>>;

const formField = <Value,>(field: FormField<Value>): FormField<unknown> =>
  field as unknown as FormField<unknown>;

const COLLISIONS = [
  ["queue", "Wait for a slot"],
  ["skip", "Are cancelled"],
  ["cancel-running", "Cancel the running ones"],
  ["replace-queued", "Wait; only the newest waits"],
] as const satisfies readonly (readonly [OnCollision, string])[];

/** A deployment of another client has the older field only. */
const onCollisionOf = ({ on_collision, concurrency_options }: Deployment): OnCollision =>
  on_collision ?? (concurrency_options?.collision_strategy === "CANCEL_NEW" ? "skip" : "queue");

export const DEPLOYMENT_FORM: readonly FormField<unknown>[] = [
  formField<string>({
    field: "description",
    read: ({ description }) => description ?? "",
    send: (description) => description,
    Input: ({ value, onValue }) => (
      <TextAreaField
        label="Description"
        hint="Markdown"
        rows={3}
        style={{ fontFamily: "inherit" }}
        value={value}
        onText={onValue}
      />
    ),
  }),
  formField<readonly string[]>({
    field: "tags",
    read: ({ tags }) => tags,
    send: (tags) => [...tags],
    isSame: (before, tags) => before.join() === tags.join(),
    Input: ({ value, onValue }) => <TagsField tags={value} onTags={onValue} />,
  }),
  formField<string>({
    field: "concurrency_limit",
    read: (deployment) =>
      String(deployment.global_concurrency_limit?.limit ?? deployment.concurrency_limit ?? ""),
    send: (limit) => (limit === "" ? null : Number(limit)),
    Input: ({ value, onValue }) => (
      <TextField
        label="Concurrency limit"
        hint="Leave empty for no limit"
        type="number"
        min={1}
        value={value}
        onText={onValue}
      />
    ),
  }),
  formField<string>({
    field: "concurrency_key",
    read: ({ global_concurrency_limit: limit }) => limit?.key?.template ?? "",
    send: (key) => (key === "" ? null : key),
    Input: ({ value, onValue, draft }) =>
      draft["concurrency_limit"] === "" ? null : (
        <TextField
          label="Concurrency key"
          hint="The limit applies to each value, such as {{ parameters.customer }}"
          value={value}
          onText={onValue}
        />
      ),
  }),
  formField<OnCollision>({
    field: "on_collision",
    read: onCollisionOf,
    send: (onCollision) => onCollision,
    Input: ({ value, onValue, draft }) =>
      draft["concurrency_limit"] === "" ? null : (
        <LabeledField label="Runs over the limit">
          {(field) => <Select {...field} options={COLLISIONS} value={value} onValue={onValue} />}
        </LabeledField>
      ),
  }),
  formField<ReturnType<typeof deploymentParametersOf>>({
    field: "parameters",
    read: deploymentParametersOf,
    send: (parameters) => parameters,
    Input: ({ value, onValue, deployment }) => (
      <fieldset className="nested">
        <legend>Default parameters of its runs</legend>
        <SchemaForm schema={schemaOf(deployment)} values={value} onValues={onValue} />
      </fieldset>
    ),
  }),
  formField<string>({
    field: "job_variables",
    read: ({ job_variables: variables }) => writeReadableJson(variables ?? {}),
    send: (text) => parseObject(text).value,
    problem: (text) => parseObject(text).problem,
    Input: ({ value, onValue }) => (
      <TextAreaField
        label="Job variables"
        hint="Overrides for the job template of the work pool"
        rows={5}
        value={value}
        error={parseObject(value).problem}
        onText={onValue}
      />
    ),
  }),
];

export const draftOf = (deployment: Deployment): Draft =>
  Object.fromEntries(DEPLOYMENT_FORM.map(({ field, read }) => [field, read(deployment)]));

/** Only what was changed is sent. */
export function changesOf(deployment: Deployment, before: Draft, draft: Draft): DeploymentUpdate {
  const changed = DEPLOYMENT_FORM.filter(
    ({ field, isSame = Object.is }) => !isSame(before[field], draft[field]),
  );
  return Object.fromEntries(
    changed.map(({ field, send }) => [field, send(draft[field], deployment)]),
  );
}

export const canSend = (draft: Draft): boolean =>
  DEPLOYMENT_FORM.every(({ field, problem }) => problem?.(draft[field]) === undefined);
