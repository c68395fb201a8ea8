import type { Me } from "@orchestrator/contract";
import { useQueryClient } from "@tanstack/react-query";
import { type JSX, useEffect, useState } from "react";
import { accountsClient } from "../../api/accounts.ts";
import { sessionQuery, useBrowserSession } from "../../api/session.ts";
import { PageLink } from "../../navigation/link.tsx";
import { useAddress } from "../../navigation/location.ts";
import { Button } from "../../ui/button.tsx";
import { Card, Empty, Facts, NoticeBox, PageFrame } from "../../ui/surface.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { toast } from "../../ui/toasts.tsx";
import { useSubmit } from "../../ui/use-submit.ts";
import { PasswordCard } from "./password-card.tsx";
import { ProviderCard } from "./provider-card.tsx";
import { SessionsCard } from "./sessions-card.tsx";

/** What whoever has signed in can say about themselves. */
export function ProfilePage(): JSX.Element {
  const session = useBrowserSession();
  const { hash } = useAddress();
  const isThere = session !== undefined;
  useEffect(() => {
    if (isThere && hash !== "") document.querySelector(hash)?.scrollIntoView();
  }, [isThere, hash]);
  if (session === undefined)
    return (
      <PageFrame title="Your profile">
        <Empty icon="user" title="This server has no users">
          <p>Everyone who can reach it has full access.</p>
        </Empty>
      </PageFrame>
    );
  const { me } = session;
  return (
    <PageFrame title="Your profile" about={me.email ?? me.name}>
      <div className="grid">
        <Card title="You">
          {me.kind === "user" ? (
            <MeForm key={`${me.name} ${me.email}`} me={me} />
          ) : (
            <Program me={me} />
          )}
        </Card>
        {me.kind === "user" && (
          <div id="password">
            <PasswordCard me={me} />
          </div>
        )}
        {me.kind === "user" && <ProviderCard me={me} />}
      </div>
      {me.kind === "user" && (
        <div id="sessions">
          <SessionsCard />
        </div>
      )}
      <p className="soft">
        Keys for programs and the command line are managed{" "}
        <PageLink to="/account/keys">in the account</PageLink>.
      </p>
    </PageFrame>
  );
}

function Program({ me }: { readonly me: Me }): JSX.Element {
  return (
    <Facts
      items={[
        ["Service account", me.name],
        ["Role", me.role],
      ]}
    />
  );
}

function MeForm({ me }: { readonly me: Me }): JSX.Element {
  const queries = useQueryClient();
  const [name, setName] = useState(me.name);
  const [email, setEmail] = useState(me.email ?? "");
  const { onSubmit, busy, error } = useSubmit(async () => {
    const given = { name: name.trim(), ...(email.trim() !== "" && { email: email.trim() }) };
    await accountsClient.me.update(given);
    toast("good", "Profile saved");
    await queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
  });
  return (
    <form className="stack" onSubmit={onSubmit}>
      <TextField label="Name" autoComplete="name" value={name} onText={setName} />
      <TextField
        label="Email"
        hint={emailHint(me)}
        disabled={!choosesEmail(me)}
        type="email"
        autoComplete="email"
        value={email}
        onText={setEmail}
      />
      {error !== undefined && <NoticeBox kind="error">{error}</NoticeBox>}
      <div className="row">
        <Button kind="primary" type="submit" busy={busy} disabled={name.trim() === ""}>
          Save
        </Button>
      </div>
    </form>
  );
}

/** Whoever has been invited under an email keeps it, unless they invite others themselves. */
const choosesEmail = ({ email, role }: Me): boolean =>
  email === null || role === "admin" || role === "owner";

function emailHint(me: Me): string | undefined {
  if (me.email === null) return "With an email and a password you can sign in without a key.";
  return choosesEmail(me) ? undefined : "To change it, ask for an invitation to the new address.";
}
