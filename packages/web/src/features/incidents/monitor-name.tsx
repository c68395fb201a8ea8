import type { JSX } from "react";
import { PageLink } from "../../navigation/link.tsx";

/** Incidents stay when their monitor is deleted. */
export function MonitorName({
  id,
  name,
  isGone,
}: {
  readonly id: string;
  readonly name: string | undefined;
  readonly isGone: boolean;
}): JSX.Element {
  if (isGone) return <span className="faint">Deleted</span>;
  return (
    <PageLink to={`/monitors/${id}`} className="cut" title={name}>
      {name ?? "…"}
    </PageLink>
  );
}
