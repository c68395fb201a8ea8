// Messages of automations, and other clients of the API, name some things in ways under which they
// have no page of their own.
import { useQuery } from "@tanstack/react-query";
import { type JSX, useEffect } from "react";
import { api } from "../../api/client.ts";
import { errorText } from "../../lib/error-text.ts";
import { navigate, pathWith } from "../../navigation/location.ts";
import type { PageProps } from "../../navigation/page-props.ts";
import { Empty, NoticeBox, PageFrame, Skeleton } from "../../ui/surface.tsx";

/** The log of a task run, in the run that it belongs to. */
export function TaskRunRedirect({ params }: PageProps): JSX.Element {
  const id = params["id"] ?? "";
  return (
    <Redirect
      title="Task run"
      id={id}
      find={async (signal) => {
        const { flow_run_id } = await api.taskRuns.read(id, { signal });
        return flow_run_id && pathWith(`/runs/${flow_run_id}`, { tab: "logs", task: id });
      }}
    />
  );
}

export function WorkPoolRedirect({ params }: PageProps): JSX.Element {
  const id = params["id"] ?? "";
  return (
    <Redirect
      title="Work pool"
      id={id}
      find={async (signal) => {
        const pools = await api.workPools.list({ work_pools: { id: { any_: [id] } } }, { signal });
        return pools[0] ? `/work-pools/${encodeURIComponent(pools[0].name)}` : null;
      }}
    />
  );
}

/** A new block of the type, as other clients know the way there. */
export function BlockTypeRedirect({ params }: PageProps): JSX.Element {
  const type = params["slug"] ?? "";
  return (
    <Redirect title="New block" id={type} find={async () => pathWith("/blocks/new", { type })} />
  );
}

function Redirect({
  title,
  id,
  find,
}: {
  readonly title: string;
  readonly id: string;
  readonly find: (signal: AbortSignal) => Promise<string | null>;
}): JSX.Element {
  const { data: to, error } = useQuery({
    queryKey: ["redirects", title, id],
    queryFn: ({ signal }) => find(signal),
  });
  useEffect(() => {
    if (to) navigate(to, { replace: true });
  }, [to]);
  return (
    <PageFrame title={title}>
      {error && <NoticeBox kind="error">{errorText(error)}</NoticeBox>}
      {to === null && <Empty icon="question" title="It no longer exists" />}
      {to === undefined && !error && <Skeleton lines={6} />}
    </PageFrame>
  );
}
