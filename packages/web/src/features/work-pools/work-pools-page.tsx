import { useQuery } from "@tanstack/react-query";
import { type JSX, useState } from "react";
import { api } from "../../api/client.ts";
import { PageLink } from "../../navigation/link.tsx";
import { Button } from "../../ui/button.tsx";
import { ListPage } from "../../ui/list-page.tsx";
import { StateBadge } from "../../ui/state.tsx";
import { Ago } from "../../ui/time.tsx";
import { NewPoolDialog } from "./new-pool-dialog.tsx";
import { InUse, NoPools } from "./pool-parts.tsx";

export function WorkPoolsPage(): JSX.Element {
  const [adding, setAdding] = useState(false);
  const { data, error } = useQuery({
    queryKey: ["work-pools", "all"],
    queryFn: ({ signal }) => api.workPools.list({}, { signal }),
  });
  return (
    <ListPage
      title="Work pools"
      actions={
        <Button needs="write" kind="primary" icon="plus" onClick={() => setAdding(true)}>
          New pool
        </Button>
      }
      rows={data}
      error={error}
      empty={<NoPools />}
      columns={[
        {
          title: "Pool",
          look: "fill",
          cell: ({ name }) => (
            <div className="cut">
              <PageLink to={`/work-pools/${encodeURIComponent(name)}`}>{name}</PageLink>
            </div>
          ),
        },
        { title: "Type", look: "wide", cell: ({ type }) => type },
        {
          title: "In use",
          look: "end",
          cell: (one) => <InUse of={one} />,
        },
        { title: "Updated", look: "wide", cell: ({ updated }) => <Ago time={updated} /> },
        {
          title: "Status",
          cell: ({ status, is_paused }) => <StateBadge type={is_paused ? "PAUSED" : status} />,
        },
      ]}
    >
      {adding && <NewPoolDialog onClose={() => setAdding(false)} />}
    </ListPage>
  );
}
