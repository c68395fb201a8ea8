import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type JSX, useState } from "react";
import { accountsClient } from "../../api/accounts.ts";
import { useMay } from "../../api/rights.ts";
import { sessionQuery } from "../../api/session.ts";
import { openPath } from "../../api/sign-in.ts";
import { forgetWorkspace } from "../../api/workspace.ts";
import { errorText } from "../../lib/error-text.ts";
import { Button } from "../../ui/button.tsx";
import { Card, Facts, NoticeBox, Skeleton } from "../../ui/surface.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { Ago } from "../../ui/time.tsx";
import { toast } from "../../ui/toasts.tsx";
import { useSubmit } from "../../ui/use-submit.ts";
import { DeleteByHandle } from "./delete-by-handle.tsx";
import type { PartProps } from "./part-props.ts";

/** The account itself: what it is called. */
export function AccountFacts({ accountId }: PartProps): JSX.Element {
  const { data, error } = useQuery({
    queryKey: ["account", accountId, "itself"],
    queryFn: ({ signal }) => accountsClient.accounts.read(accountId, { signal }),
  });
  if (error) return <NoticeBox kind="error">{errorText(error)}</NoticeBox>;
  if (data === undefined) return <Skeleton />;
  return (
    <div className="grid">
      <Card title="Name">
        <NameForm key={data.updated} accountId={accountId} name={data.name} handle={data.handle} />
      </Card>
      <Card title="Facts">
        <Facts
          items={[
            ["ID", <code>{data.id}</code>],
            ["Created", <Ago time={data.created} />],
            ["API", <code>{`${accountsClient.url}/accounts/${data.id}`}</code>],
            ["API documents", <a href="/api/accounts/docs">Accounts API</a>],
          ]}
        />
      </Card>
      <Card title="Delete">
        <DeleteAccount accountId={accountId} name={data.name} handle={data.handle} />
      </Card>
    </div>
  );
}

function DeleteAccount({
  accountId,
  name,
  handle,
}: {
  readonly accountId: string;
  readonly name: string;
  readonly handle: string;
}): JSX.Element {
  const [isAsking, setAsking] = useState(false);
  return (
    <div className="stack">
      <p className="soft">
        Deletes its workspaces with everything in them, its keys, and users who belong to no other
        account. The first account of a server cannot be deleted.
      </p>
      <div className="row">
        <Button kind="danger" icon="trash" needs="own" onClick={() => setAsking(true)}>
          Delete account
        </Button>
      </div>
      {isAsking && (
        <DeleteByHandle
          title={`Delete ${name}?`}
          verb="Delete account"
          handle={handle}
          onClose={() => setAsking(false)}
          onDelete={async (typed) => {
            await accountsClient.accounts.delete(accountId, { handle: typed });
            forgetWorkspace();
            openPath("/");
          }}
        >
          Everything in it is deleted. This cannot be undone.
        </DeleteByHandle>
      )}
    </div>
  );
}

function NameForm({
  accountId,
  ...given
}: {
  readonly accountId: string;
  readonly name: string;
  readonly handle: string;
}): JSX.Element {
  const queries = useQueryClient();
  const [name, setName] = useState(given.name);
  const [handle, setHandle] = useState(given.handle);
  const mayChange = useMay("own");
  const { onSubmit, busy, error } = useSubmit(async () => {
    await accountsClient.accounts.update(accountId, { name: name.trim(), handle: handle.trim() });
    toast("good", "Account saved");
    await queries.invalidateQueries({ queryKey: ["account", accountId] });
    await queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
  });
  return (
    <form className="stack" onSubmit={onSubmit}>
      <TextField label="Name" value={name} disabled={!mayChange} onText={setName} />
      <TextField
        label="Handle"
        hint="Used in commands"
        value={handle}
        disabled={!mayChange}
        onText={setHandle}
      />
      {error !== undefined && <NoticeBox kind="error">{error}</NoticeBox>}
      <div className="row">
        <Button kind="primary" type="submit" needs="own" busy={busy} disabled={name.trim() === ""}>
          Save
        </Button>
      </div>
    </form>
  );
}
