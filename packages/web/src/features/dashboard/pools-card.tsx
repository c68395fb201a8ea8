import type { WorkPoolGlance } from "@orchestrator/contract";
import { useQuery } from "@tanstack/react-query";
import type { JSX } from "react";
import { api } from "../../api/client.ts";
import { PageLink } from "../../navigation/link.tsx";
import { pathWith } from "../../navigation/location.ts";
import { StateBadge } from "../../ui/state.tsx";
import { Card } from "../../ui/surface.tsx";
import { Table } from "../../ui/table.tsx";
import { NoPools } from "../work-pools/pool-parts.tsx";

const SHOWN = 8;

/** Work pools and their workers at a glance; those in trouble first. */
export function PoolsCard(): JSX.Element {
  const { data } = useQuery({
    queryKey: ["work-pools", "glance"],
    queryFn: ({ signal }) => api.dashboard.listWorkPools({ signal }),
  });
  const pools = data?.toSorted((a, b) => b.late - a.late).slice(0, SHOWN);
  return (
    <Card flush title="Work pools" actions={<PageLink to="/work-pools">View all</PageLink>}>
      <Table
        label="Work pools"
        rows={pools}
        keyOf={({ id }) => id}
        empty={<NoPools />}
        columns={[
          { title: "State", look: "wide", cell: ({ status }) => <StateBadge type={status} /> },
          {
            title: "Pool",
            look: "fill",
            cell: ({ name, type, status }) => (
              <div className="stack-tight" style={{ gap: 2 }}>
                <span className="narrow-only">
                  <StateBadge type={status} />
                </span>
                <div className="cut">
                  <PageLink to={`/work-pools/${encodeURIComponent(name)}`}>{name}</PageLink>
                </div>
                <div className="cut faint">{type}</div>
              </div>
            ),
          },
          {
            title: "Workers",
            look: "end",
            cell: ({ online_workers }) => <span className="num">{online_workers}</span>,
          },
          {
            title: "Running",
            look: "wide end",
            cell: (pool) => <Runs pool={pool} what="running" />,
          },
          { title: "Late", look: "end", cell: (pool) => <Runs pool={pool} what="late" /> },
        ]}
      />
    </Card>
  );
}

const STATES = { running: "RUNNING", late: "LATE" } as const;

function Runs({
  pool,
  what,
}: {
  readonly pool: WorkPoolGlance;
  readonly what: keyof typeof STATES;
}): JSX.Element {
  const count = pool[what];
  if (count === 0) return <span className="num faint">0</span>;
  const to = pathWith("/runs", { pool: pool.name, states: [STATES[what]], window: "all" });
  return (
    <PageLink to={to} className="num">
      {count.toLocaleString("en")}
    </PageLink>
  );
}
