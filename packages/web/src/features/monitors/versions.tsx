import type { CheckResult } from "@orchestrator/contract";
import { useQuery } from "@tanstack/react-query";
import { type JSX, useState } from "react";
import { uptime } from "../../api/uptime.ts";
import { errorText } from "../../lib/error-text.ts";
import { Button } from "../../ui/button.tsx";
import { Card, Notice } from "../../ui/surface.tsx";
import { Table } from "../../ui/table.tsx";
import { Ago } from "../../ui/time.tsx";
import type { CheckDetails } from "./check-details.ts";

interface Version extends CheckDetails {
  readonly version: string;
  readonly first: string;
  readonly last: string;
}

const MANY = 1000;

/** When the version of an instance changed, in the results at hand; more of them are fetched when somebody asks. */
export function Versions({
  monitorId,
  results,
}: {
  readonly monitorId: string;
  readonly results: readonly CheckResult[];
}): JSX.Element {
  const [wantsMore, setWantsMore] = useState(false);
  const more = useQuery({
    queryKey: ["versions", monitorId],
    enabled: wantsMore,
    staleTime: 60_000,
    queryFn: ({ signal }) => uptime.results.list(monitorId, { limit: MANY }, { signal }),
  });
  const shown = more.data ?? results;
  return (
    <Card
      flush
      title="Versions"
      actions={
        <>
          <span className="faint num">in the last {shown.length} results</span>
          {more.data === undefined && (
            <Button small busy={more.isFetching} onClick={() => setWantsMore(true)}>
              Look further back
            </Button>
          )}
        </>
      }
    >
      {more.error && <Notice kind="error">{errorText(more.error)}</Notice>}
      <Table
        label="Versions"
        rows={changesOf(shown)}
        keyOf={({ last }) => last}
        empty={
          <p className="soft" style={{ padding: 16 }}>
            No version has been read yet.
          </p>
        }
        columns={[
          { title: "Version", cell: ({ version }) => <strong>{version}</strong> },
          { title: "Revision", look: "fill", cell: ({ revision }) => <code>{revision}</code> },
          { title: "First seen", cell: ({ first }) => <Ago time={first} /> },
          { title: "Last seen", cell: ({ last }) => <Ago time={last} /> },
        ]}
      />
    </Card>
  );
}

/** The newest first, as the results are. */
function changesOf(results: readonly CheckResult[]): Version[] {
  const all: Version[] = [];
  for (const { details, checked_at } of results) {
    const info = details["instance"] as CheckDetails | undefined;
    if (info?.version === undefined) continue;
    const last = all.at(-1);
    if (last?.version === info.version && last.revision === info.revision)
      all[all.length - 1] = { ...last, first: checked_at };
    else all.push({ ...info, version: info.version, first: checked_at, last: checked_at });
  }
  return all;
}
