import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { JSX } from "react";
import { accountsClient } from "../../api/accounts.ts";
import { signOut } from "../../api/session.ts";
import { errorText } from "../../lib/error-text.ts";
import { Button } from "../../ui/button.tsx";
import { Card, Empty, NoticeBox } from "../../ui/surface.tsx";
import { Table } from "../../ui/table.tsx";
import { Ago } from "../../ui/time.tsx";
import { toast, toastError } from "../../ui/toasts.tsx";
import { browserName } from "./browser-name.ts";

/** Where somebody is signed in as this user. */
export function SessionsCard(): JSX.Element {
  const queries = useQueryClient();
  const { data, error } = useQuery({
    queryKey: ["sessions"],
    queryFn: ({ signal }) => accountsClient.me.listSessions({ signal }),
  });
  const end = async (id: string) => {
    try {
      await accountsClient.me.endSession(id);
      toast("good", "Session ended");
    } catch (reason) {
      toastError(reason);
    }
    await queries.invalidateQueries({ queryKey: ["sessions"] });
  };
  return (
    <Card flush title="Sessions">
      {error && <NoticeBox kind="error">{errorText(error)}</NoticeBox>}
      <Table
        label="Sessions"
        rows={data}
        keyOf={({ id }) => id}
        empty={<Empty icon="page" title="No sessions" />}
        columns={[
          {
            title: "Browser",
            look: "fill",
            cell: ({ user_agent, is_current }) => (
              <span title={user_agent}>
                {browserName(user_agent)} {is_current && <span className="soft">(current)</span>}
              </span>
            ),
          },
          { title: "IP address", look: "wide", cell: ({ address }) => <code>{address}</code> },
          { title: "Started", look: "wide", cell: ({ created }) => <Ago time={created} /> },
          { title: "Last used", cell: ({ last_used }) => <Ago time={last_used} /> },
          {
            title: <span className="visually-hidden">Actions</span>,
            cell: ({ id, is_current }) => (
              <Button
                small
                onClick={() => void (is_current ? signOut().catch(toastError) : end(id))}
              >
                {is_current ? "Sign out" : "End"}
              </Button>
            ),
          },
        ]}
      />
    </Card>
  );
}
