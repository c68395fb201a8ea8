import { type JSX, useState } from "react";
import { accountsClient } from "../../api/accounts.ts";
import { Button } from "../../ui/button.tsx";
import { NoticeBox } from "../../ui/surface.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { useSubmit } from "../../ui/use-submit.ts";

/** A refusal is shown at once, also one that asks for patience. */
const ONCE = { retries: 0 };

interface Done {
  readonly onDone: () => void;
}

export function EmailForm({ onDone }: Done): JSX.Element {
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const { onSubmit, busy, error } = useSubmit(async () => {
    await accountsClient.signIn.logIn({ email: email.trim(), password }, ONCE);
    onDone();
  });
  return (
    <form className="stack" onSubmit={onSubmit}>
      <TextField
        label="Email"
        type="email"
        autoComplete="username"
        autoFocus
        value={email}
        onText={setEmail}
      />
      <TextField
        label="Password"
        type="password"
        autoComplete="current-password"
        value={password}
        onText={setPassword}
      />
      {error !== undefined && <NoticeBox kind="error">{error}</NoticeBox>}
      <Button
        kind="primary"
        type="submit"
        busy={busy}
        disabled={email.trim() === "" || password === ""}
      >
        Sign in
      </Button>
    </form>
  );
}

export function KeyForm({ onDone }: Done): JSX.Element {
  const [key, setKey] = useState("");
  const { onSubmit, busy, error } = useSubmit(async () => {
    await accountsClient.signIn.logIn({ key: key.trim() }, ONCE);
    onDone();
  });
  return (
    <form className="stack" onSubmit={onSubmit}>
      <TextField
        label="API key"
        hint="The first start of the server printed the owner's key. It is not stored in this browser."
        type="password"
        autoComplete="off"
        autoFocus
        placeholder="orc_…"
        value={key}
        onText={setKey}
      />
      {error !== undefined && <NoticeBox kind="error">{error}</NoticeBox>}
      <Button kind="primary" type="submit" busy={busy} disabled={key.trim() === ""}>
        Sign in
      </Button>
    </form>
  );
}
