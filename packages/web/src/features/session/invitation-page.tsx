import type { InvitationAccept, InvitationView } from "@orchestrator/contract";
import { useQuery } from "@tanstack/react-query";
import { type JSX, useState } from "react";
import { accountsClient } from "../../api/accounts.ts";
import { openPath } from "../../api/sign-in.ts";
import { forgetWorkspace } from "../../api/workspace.ts";
import { errorText } from "../../lib/error-text.ts";
import { useAddress } from "../../navigation/location.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { NoticeBox, Skeleton } from "../../ui/surface.tsx";
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
    queryFn: ({ signal }) =>
      accountsClient.signIn.lookAtInvitation({ token }, { signal, retries: 0 }),
  });
  if (token === "")
    return (
      <BarePage title="Invitation">
        <NoticeBox kind="error">
          The link is incomplete. Open it exactly as you received it.
        </NoticeBox>
      </BarePage>
    );
  if (data === undefined)
    return (
      <BarePage title="Invitation">
        {error ? (
          <div className="stack">
            <NoticeBox kind="error">{errorText(error)}</NoticeBox>
            <p className="soft">
              An invitation expires after some days and works once. Ask for a new one, or{" "}
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
      <Accept token={token} invitation={data} />
    </BarePage>
  );
}

interface AcceptProps {
  readonly token: string;
  readonly invitation: InvitationView;
}

/**
 * Whoever is signed in joins as who they are, or as somebody new where the email is nobody's yet.
 */
function Accept({ token, invitation }: AcceptProps): JSX.Element {
  const [isOther, setOther] = useState(false);
  const { accepted_as } = invitation;
  if (accepted_as === null || isOther) return <AcceptForm token={token} invitation={invitation} />;
  return (
    <AcceptHere
      token={token}
      invitation={invitation}
      who={accepted_as}
      onOther={() => setOther(true)}
    />
  );
}

/** Everything is read anew, as what can be seen has become more. */
async function join(said: InvitationAccept): Promise<void> {
  await accountsClient.signIn.acceptInvitation(said, { retries: 0 });
  forgetWorkspace();
  openPath("/");
}

function AcceptHere({
  token,
  invitation: { email, accepted_by },
  who: { name, email: own },
  onOther,
}: AcceptProps & {
  readonly who: NonNullable<InvitationView["accepted_as"]>;
  readonly onOther: () => void;
}): JSX.Element {
  const { onSubmit, busy, error } = useSubmit(() => join({ token }));
  const isOwnEmail = accepted_by !== "new_user";
  return (
    <form className="stack" onSubmit={onSubmit}>
      <p>
        You are signed in as <strong>{name}</strong>
        {own !== null && own !== name && <> ({own})</>}.
        {!isOwnEmail && (
          <>
            {" "}
            If you accept as {name}, your email here becomes <strong>{email}</strong>
            {own === null ? "" : ", also for signing in"}.
          </>
        )}
      </p>
      {error !== undefined && <NoticeBox kind="error">{error}</NoticeBox>}
      {isOwnEmail ? (
        <Button kind="primary" type="submit" busy={busy}>
          Accept as {name}
        </Button>
      ) : (
        // Whoever made the link may have opened it only to look: it is not offered first to change
        // who they are.
        <>
          <Button kind="primary" onClick={onOther}>
            Join as a new user
          </Button>
          <Button type="submit" busy={busy}>
            Accept as {name} (my email becomes {email})
          </Button>
        </>
      )}
    </form>
  );
}

function AcceptForm({ token, invitation: { email, accepted_by } }: AcceptProps): JSX.Element {
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const isNew = accepted_by === "new_user";
  const hasPassword = accepted_by !== "sign_in";
  const { onSubmit, busy, error } = useSubmit(() =>
    join({ token, ...(isNew && { name: name.trim() }), ...(hasPassword && { password }) }),
  );
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
      {error !== undefined && <NoticeBox kind="error">{error}</NoticeBox>}
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
