import type { Action } from "@orchestrator/contract";
import type { JSX } from "react";
import { PageLink } from "../../navigation/link.tsx";
import {
  type NameKind,
  type TargetName,
  type TargetNames,
  targetIn,
  targetLabelOf,
} from "./target-names.ts";

/** What an action is about, with a link to its page. */
export function ActionTarget({
  action,
  names,
}: {
  readonly action: Action;
  readonly names: TargetNames;
}): JSX.Element | null {
  const target = targetIn(action);
  if (target === undefined) return null;
  const { kind, id } = target;
  if (id === null) return <span className="soft">the one named by the event</span>;
  const known = names.get(id);
  return (
    <>
      {known === undefined ? (
        <code>{id}</code>
      ) : (
        <PageLink to={pathOf(kind, id, known)}>{targetLabelOf(kind, known)}</PageLink>
      )}
      {"subject" in action && action.subject && <span className="soft"> {action.subject}</span>}
    </>
  );
}

/** Pools have their name in the address, and queues are on the page of their pool. */
function pathOf(kind: NameKind, id: string, { name, belongs_to }: TargetName): string {
  if (kind !== "work-pool" && kind !== "work-queue") return `/${kind}s/${id}`;
  const pool = kind === "work-pool" ? name : (belongs_to ?? "");
  return `/work-pools/${encodeURIComponent(pool)}`;
}
