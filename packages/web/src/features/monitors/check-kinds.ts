// The types of checks as the server tells them: the form is made from that.
import type { CheckConfig, CheckField, CheckKind } from "@orchestrator/contract";
import { queryOptions } from "@tanstack/react-query";
import { uptime } from "../../api/uptime.ts";
import { type IconName, isIconName } from "../../ui/icons.tsx";

export const checkKinds = queryOptions({
  queryKey: ["check-kinds"],
  // They change with the server only, and what is being written must not change underneath.
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: ({ signal }) => uptime.monitors.checkKinds({ signal }),
});

export const iconOf = ({ icon }: CheckKind): IconName => (isIconName(icon) ? icon : "monitor");

/** The check that its form begins with. */
export const prefillOf = ({ type, prefill }: CheckKind): CheckConfig => ({ ...prefill, type });

/** Of a type that this server does not know, nothing can be said but its name. */
export function checkKindOf(kinds: readonly CheckKind[], type: string): CheckKind {
  const unknown = { about: "", icon: "", schema: {}, defaults: {}, prefill: { type }, fields: [] };
  return kinds.find((kind) => kind.type === type) ?? { type, title: type, ...unknown };
}

/** What is meant where nothing is said, as it is shown. */
export const usualText = ({ defaults }: CheckKind, { key }: CheckField): string | undefined =>
  textOf(defaults[key]);

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" || typeof value === "number" ? String(value) : undefined;

/** What is read of the JSON schema of options. */
interface OptionSchema {
  readonly properties?: Readonly<Record<string, OptionSchema>>;
  readonly items?: OptionSchema;
  readonly enum?: readonly string[];
}

const optionOf = ({ schema }: CheckKind, { key }: CheckField): OptionSchema | undefined =>
  (schema as OptionSchema).properties?.[key];

/** The words that an option may have, the usual one first. */
export function choicesOf(kind: CheckKind, field: CheckField): readonly string[] {
  const words = optionOf(kind, field)?.enum ?? [];
  const usual = textOf(kind.defaults[field.key]) ?? words[0] ?? "";
  return [usual, ...words.filter((word) => word !== usual)];
}

/** How expectations may compare what is there with what is wanted. */
export const comparisonsOf = (kind: CheckKind, field: CheckField): readonly string[] =>
  optionOf(kind, field)?.items?.properties?.["comparison"]?.enum ?? [];
