import { ApiError } from "@orchestrator/client";
import type { JSX } from "react";
import { errorText } from "../lib/error-text.ts";
import { PageLink } from "../navigation/link.tsx";
import { Empty, NoticeBox, Skeleton } from "./surface.tsx";

const NOT_FOUND = 404;

/** Any other failure leaves what is shown where it is. */
export const isNotFound = (error: unknown): boolean =>
  error instanceof ApiError && error.status === NOT_FOUND;

/**
 * What stands on the page of a single thing as long as there is nothing of it: it has not come yet,
 * is not there, or was refused.
 */
export function NotShown({
  error,
  what,
  list: { label, to },
}: {
  readonly error: Error | null;
  /** Such as `run`. */
  readonly what: string;
  /** Where the others are. */
  readonly list: { readonly label: string; readonly to: string };
}): JSX.Element {
  if (error === null) return <Skeleton lines={8} />;
  if (!isNotFound(error)) return <NoticeBox kind="error">{errorText(error)}</NoticeBox>;
  return (
    <Empty icon="question" title={`No such ${what}`}>
      <p>
        It may have been deleted. <PageLink to={to}>All {label.toLowerCase()}</PageLink>
      </p>
    </Empty>
  );
}
