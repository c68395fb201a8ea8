import type { SlaRow } from "../../db/tables/slas.table.ts";
import type { RelatedResource, ResourceEvent } from "../../events/emit.ts";
import { serviceActor } from "../../service-identities.rules.ts";

type SlaEventFields = Pick<
  SlaRow,
  "id" | "name" | "kind" | "seconds" | "severity" | "deployment_id"
>;

export interface Owner {
  readonly deployment_name: string;
  readonly flow_id: string;
  readonly flow_name: string;
}

export interface ConcernedRun {
  readonly id: string;
  readonly name: string;
}

function ofSla({ id, name, kind, severity }: SlaEventFields) {
  return { kind: "sla", id, name, labels: { "sla.kind": kind, "sla.severity": severity } };
}

function relatedTo(
  { deployment_id }: SlaEventFields,
  { deployment_name, flow_id, flow_name }: Owner,
  run: ConcernedRun | null,
): RelatedResource[] {
  const concerned: RelatedResource[] =
    run === null ? [] : [{ kind: "flow-run", id: run.id, role: "flow-run", name: run.name }];
  return [
    ...concerned,
    { kind: "deployment", id: deployment_id, role: "deployment", name: deployment_name },
    { kind: "flow", id: flow_id, role: "flow", name: flow_name },
  ];
}

export function slaEvent(
  verb: "created" | "updated" | "deleted",
  { sla, owner }: { readonly sla: SlaEventFields & Pick<SlaRow, "enabled">; readonly owner: Owner },
  occurred: string,
): ResourceEvent {
  const { name, kind, seconds, severity, enabled } = sla;
  const payload = JSON.stringify({ name, kind, seconds, severity, enabled });
  return { ...ofSla(sla), verb, occurred, payload, related: relatedTo(sla, owner, null) };
}

export interface Breach {
  readonly sla: SlaEventFields;
  readonly owner: Owner;
  /** Null where it is not a run that broke it. */
  readonly run: ConcernedRun | null;
  readonly since: string;
  readonly violated: string;
}

export function violatedEvent(breach: Breach, received: string): ResourceEvent {
  const { sla, owner, run, violated } = breach;
  return {
    ...ofSla(sla),
    verb: "violated",
    occurred: violated,
    received,
    payload: payloadOf(breach),
    related: [...relatedTo(sla, owner, run), serviceActor("slas")],
  };
}

export function restoredEvent(
  breach: Breach & { readonly restored: string; readonly follows: string | null },
  received: string,
): ResourceEvent {
  const { sla, owner, run, restored, follows } = breach;
  return {
    ...ofSla(sla),
    verb: "restored",
    occurred: restored,
    received,
    payload: payloadOf(breach, { restored }),
    related: [...relatedTo(sla, owner, run), serviceActor("slas")],
    follows,
  };
}

function payloadOf({ sla, run, since, violated }: Breach, more: object = {}): string {
  const { kind, seconds, severity } = sla;
  const flow_run_id = run?.id ?? null;
  return JSON.stringify({ kind, seconds, severity, flow_run_id, since, violated, ...more });
}
