import type { InvitationView } from "@orchestrator/contract";
import { useQuery } from "@tanstack/react-query";
import { type JSX, useState } from "react";
import { accounts } from "../../api/accounts.ts";
import { enter } from "../../api/sign-in.ts";
import { forgetWorkspace } from "../../api/workspace.ts";
import { useAddress } from "../../app/location.ts";
import { errorText } from "../../lib/error-text.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { Notice, Skeleton } from "../../ui/surface.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { useSubmit } from "../../ui/use-submit.ts";
import { BarePage } from "./bare-page.tsx";

/** Where the link of an invitation leads. */
export function InvitationPage(): JSX.Element {
  const token = useAddress().searchParams.get("token") ?? "";
  const { data, error } = useQuery({
    queryKey: ["invitation", token],
    enabled: token !== "",
    refetchOnWindowFocus: false,
    queryFn: ({ signal }) => accounts.signIn.lookAtInvitation({ token }, { signal, retries: 0 }),
  });
  if (token === "")
    return (
      <BarePage title="Invitation">
        <Notice kind="error">The address is not complete: open the link as it was sent.</Notice>
      </BarePage>
    );
  if (data === undefined)
    return (
      <BarePage title="Invitation">
        {error ? (
          <div className="stack">
            <Notice kind="error">{errorText(error)}</Notice>
            <p className="soft">
              An invitation is good for some days and for one person: ask for another one, or{" "}
              <a href="/login">sign in</a>.
            </p>
          </div>
        ) : (
          <Skeleton lines={4} />
        )}
      </BarePage>
    );
  return (
    <BarePage
      title={`Join ${data.account_name}`}
      about={
        <>
          {data.email} is invited as <strong>{data.role}</strong>.
        </>
      }
    >
      <AcceptForm token={token} invitation={data} />
    </BarePage>
  );
}

function AcceptForm({
  token,
  invitation: { email, accepted_by },
}: {
  readonly token: string;
  readonly invitation: InvitationView;
}): JSX.Element {
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const isNew = accepted_by === "new_user";
  const hasPassword = accepted_by !== "sign_in";
  const { onSubmit, busy, error } = useSubmit(async () => {
    const said = { ...(isNew && { name: name.trim() }), ...(hasPassword && { password }) };
    await accounts.signIn.acceptInvitation({ token, ...said }, { retries: 0 });
    forgetWorkspace();
    enter("/");
  });
  return (
    <form className="stack" onSubmit={onSubmit}>
      {isNew && (
        <TextField label="Your name" autoComplete="name" autoFocus value={name} onText={setName} />
      )}
      {/* For the password manager, which keeps both. */}
      <input type="hidden" autoComplete="username" value={email} readOnly />
      {hasPassword && (
        <TextField
          label={isNew ? "Choose a password" : "Your password"}
          hint={isNew ? "At least 10 characters" : "You have signed in here before."}
          type="password"
          autoComplete={isNew ? "new-password" : "current-password"}
          value={password}
          onText={setPassword}
        />
      )}
      {!hasPassword && (
        <p className="soft">
          You have an account here without a password. Sign in with the provider first, then open
          this link again.
        </p>
      )}
      {error !== undefined && <Notice kind="error">{error}</Notice>}
      <Button
        kind="primary"
        type="submit"
        busy={busy}
        disabled={(isNew && name.trim() === "") || (hasPassword && password === "")}
      >
        Accept
      </Button>
      {!hasPassword && (
        <a
          className={buttonClass({})}
          href={`/login?next=${encodeURIComponent(`/invitation?token=${token}`)}`}
        >
          Sign in
        </a>
      )}
    </form>
  );
}
