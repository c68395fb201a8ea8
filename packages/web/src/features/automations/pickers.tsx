// Choosing one of the things that an action is about.
import { type JSX, type ReactNode, useContext, useState } from "react";
import { api } from "../../api/client.ts";
import { uptime } from "../../api/uptime.ts";
import { useHasSession } from "../../api/uptime-session.ts";
import { inWorkspace } from "../../api/workspace.ts";
import { CHOICES, type Choice, ChoiceField, type ChoiceSource } from "../../ui/choice-field.tsx";
import { TextField } from "../../ui/text-field.tsx";
import type { TargetKind } from "./action-kinds.ts";
import { type NameKind, REQUESTED, TargetsContext, targetLabelOf } from "./target-names.ts";

const namesOf = (
  kind: Exclude<NameKind, "monitor">,
  key: string,
  more: { readonly block_capability?: string; readonly block_type?: string } = {},
): ChoiceSource => ({
  key: [key, kind, ...Object.values(more)],
  find: async (text, signal) => {
    const asked = { kind: REQUESTED[kind], text, limit: CHOICES, ...more };
    const found = await api.names.find(asked, { signal });
    return found.map((one) => ({ id: one.id, label: targetLabelOf(kind, one) })).sort(byLabel);
  },
});

const byLabel = (a: Choice, b: Choice): number => a.label.localeCompare(b.label, "en");

const SOURCES: Readonly<Record<TargetKind, ChoiceSource>> = {
  deployment: namesOf("deployment", "deployments"),
  "work-pool": namesOf("work-pool", "work-pools"),
  // Changes of queues are told to those who show pools.
  "work-queue": namesOf("work-queue", "work-pools"),
  automation: namesOf("automation", "automations"),
  monitor: {
    key: ["monitors"],
    find: async (text, signal) => {
      const q = text === "" ? {} : { q: text };
      const found = await uptime.monitors.list({ ...q, limit: CHOICES }, { signal });
      return found.map(({ id, name }) => ({ id, label: name })).sort(byLabel);
    },
  },
};

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
  const hasSession = useHasSession();
  // Monitors are for those who are logged in; others can still name one by its id.
  if (kind === "monitor" && !hasSession)
    return (
      <TextField
        label={picker.label}
        hint="Monitor ID"
        error={picker.error}
        value={picker.id ?? ""}
        onText={(text) => picker.onId(text === "" ? null : text)}
      />
    );
  return <Picker kind={kind} source={SOURCES[kind]} {...picker} />;
}

const BLOCKS = {
  notify: namesOf("block", "blocks", { block_capability: "notify" }),
  webhook: namesOf("block", "blocks", { block_type: "webhook" }),
} as const;
const NEW_BLOCK = {
  notify: "/blocks/new?capability=notify",
  webhook: "/blocks/new?type=webhook",
} as const;

/** Blocks that a message can go through. */
export function BlockPicker({
  what,
  ...picker
}: PickerProps & { readonly what: keyof typeof BLOCKS }): JSX.Element {
  const none = (
    <>
      No such block yet:{" "}
      <a href={inWorkspace(NEW_BLOCK[what])} target="_blank" rel="noreferrer">
        create one in another tab
      </a>
      ; it appears here immediately.
    </>
  );
  return <Picker kind="block" source={BLOCKS[what]} none={none} {...picker} />;
}

function Picker({
  kind,
  source,
  label,
  id,
  error,
  none,
  onId,
}: PickerProps & {
  readonly kind: NameKind;
  readonly source: ChoiceSource;
  readonly none?: ReactNode;
}): JSX.Element {
  const { names } = useContext(TargetsContext);
  const [picked, setPicked] = useState<Choice | null>(null);
  const named = id ? names.get(id) : undefined;
  const known = named ? targetLabelOf(kind, named) : picked?.id === id ? picked?.label : undefined;
  return (
    <ChoiceField
      label={label}
      error={error}
      source={source}
      chosen={id ? { id, label: known ?? id } : null}
      none={none}
      onChoice={(choice) => {
        setPicked(choice);
        onId(choice?.id ?? null);
      }}
    />
  );
}
