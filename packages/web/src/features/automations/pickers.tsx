// Choosing one of the things that an action is about.
import { queryOptions, useQuery } from "@tanstack/react-query";
import type { JSX } from "react";
import { api } from "../../api/client.ts";
import { uptime } from "../../api/uptime.ts";
import { useHasSession } from "../../api/uptime-session.ts";
import { inWorkspace } from "../../api/workspace.ts";
import { Field, Input, Select } from "../../ui/form.tsx";
import type { TargetKind } from "./action-kinds.ts";

const MOST = 200;

interface Choice {
  readonly id: string;
  readonly label: string;
}

const byLabel = (a: Choice, b: Choice): number => a.label.localeCompare(b.label, "en");

export const deploymentChoices = queryOptions({
  queryKey: ["deployments", "choices"],
  queryFn: async ({ signal }) => {
    const deployments = await api.deployments.list({ sort: "NAME_ASC", limit: MOST }, { signal });
    const ids = [...new Set(deployments.map(({ flow_id }) => flow_id))];
    const flows =
      ids.length === 0 ? [] : await api.flows.list({ flows: { id: { any_: ids } } }, { signal });
    const names = new Map(flows.map(({ id, name }) => [id, name]));
    return deployments.map((deployment) => ({
      id: deployment.id,
      label: `${names.get(deployment.flow_id) ?? "?"}/${deployment.name}`,
      deployment,
    }));
  },
});

const choicesOf = (kind: TargetKind, hasSession: boolean) =>
  queryOptions({
    queryKey: [`${kind}s`, "target-choices"],
    enabled: kind !== "monitor" || hasSession,
    queryFn: async ({ signal }): Promise<readonly Choice[]> => {
      if (kind === "monitor") {
        const monitors = await uptime.monitors.list({ limit: MOST }, { signal });
        return monitors.map(({ id, name }) => ({ id, label: name })).sort(byLabel);
      }
      const found =
        kind === "work-pool"
          ? await api.workPools.list({ limit: MOST }, { signal })
          : kind === "work-queue"
            ? await api.workQueues.list({ limit: MOST }, { signal })
            : await api.automations.list({ sort: "NAME_ASC", limit: MOST }, { signal });
      return found.map((one) => ({ id: one.id, label: labelOf(one) })).sort(byLabel);
    },
  });

const labelOf = (one: {
  readonly name: string;
  readonly work_pool_name?: string | null;
}): string => (one.work_pool_name ? `${one.work_pool_name}/${one.name}` : one.name);

interface PickerProps {
  readonly label: string;
  readonly id: string | null | undefined;
  readonly error?: string | undefined;
  readonly onId: (id: string | null) => void;
}

export function TargetPicker({
  kind,
  ...picker
}: PickerProps & { readonly kind: TargetKind }): JSX.Element {
  return kind === "deployment" ? (
    <DeploymentPicker {...picker} />
  ) : (
    <OtherPicker kind={kind} {...picker} />
  );
}

function DeploymentPicker(picker: PickerProps): JSX.Element {
  const { data } = useQuery(deploymentChoices);
  return <Choose {...picker} choices={data} />;
}

function OtherPicker({
  kind,
  ...picker
}: PickerProps & { readonly kind: TargetKind }): JSX.Element {
  const hasSession = useHasSession();
  const { data, error } = useQuery(choicesOf(kind, hasSession));
  // Monitors are for those who are logged in; others can still name one by its id.
  if (kind === "monitor" && (!hasSession || error))
    return (
      <Field label={picker.label} error={picker.error} hint="The id of a monitor">
        {(field) => (
          <Input
            {...field}
            value={picker.id ?? ""}
            onChange={({ target }) => picker.onId(target.value === "" ? null : target.value)}
          />
        )}
      </Field>
    );
  return <Choose {...picker} choices={data} />;
}

/** Blocks that a message can go through. */
export function BlockPicker({
  what,
  ...picker
}: PickerProps & { readonly what: "notify" | "webhook" }): JSX.Element {
  const { data } = useQuery({
    queryKey: ["blocks", "choices", what],
    queryFn: async ({ signal }) => {
      const which =
        what === "notify"
          ? { block_schemas: { block_capabilities: { all_: ["notify"] } } }
          : { block_types: { slug: { any_: ["webhook"] } } };
      const blocks = await api.blockDocuments.list({ ...which, limit: MOST }, { signal });
      return blocks.map(({ id, name, block_type_name }) => ({
        id,
        label: `${name} (${block_type_name ?? "?"})`,
      }));
    },
  });
  const none = data?.length === 0 && (
    <>
      There is no such block yet:{" "}
      <a href={inWorkspace(newBlock(what))} target="_blank" rel="noreferrer">
        make one in another tab
      </a>
      ; it appears here at once.
    </>
  );
  return <Choose {...picker} choices={data} hint={none || undefined} />;
}

const newBlock = (what: "notify" | "webhook"): string =>
  what === "notify" ? "/blocks/new?capability=notify" : "/blocks/new?type=webhook";

function Choose({
  label,
  id,
  error,
  hint,
  choices = [],
  onId,
}: PickerProps & {
  readonly choices: readonly Choice[] | undefined;
  readonly hint?: JSX.Element | undefined;
}): JSX.Element {
  const isKnown = !id || choices.some((choice) => choice.id === id);
  return (
    <Field label={label} error={error} hint={hint}>
      {(field) => (
        <Select
          {...field}
          value={id ?? ""}
          options={[
            ["", "Choose"],
            ...(isKnown ? [] : [[id, id] as const]),
            ...choices.map((choice) => [choice.id, choice.label] as const),
          ]}
          onValue={(chosen) => onId(chosen === "" ? null : chosen)}
        />
      )}
    </Field>
  );
}
