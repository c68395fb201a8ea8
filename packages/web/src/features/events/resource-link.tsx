import type { JSX } from "react";
import { PageLink } from "../../navigation/link.tsx";
import {
  type EventLabels,
  pageOfResource,
  resourceId,
  resourceKindOf,
  resourceName,
} from "./event-labels.ts";

/** The name of a resource, and the way to its page where there is one. */
export function ResourceLink({ labels }: { readonly labels: EventLabels }): JSX.Element {
  const page = pageOfResource(labels);
  const [id, kind] = [resourceId(labels), resourceKindOf(resourceId(labels))];
  const given = resourceName(labels);
  // Without a name it is told by what it is and the beginning of its id.
  const name = given === id && kind ? `${kind} ${id.split(".").at(-1)?.slice(0, 8)}` : given;
  return page === undefined ? (
    <span title={id}>{name}</span>
  ) : (
    <PageLink to={page}>{name}</PageLink>
  );
}
