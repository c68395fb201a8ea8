import { createClient } from "@orchestrator/client";
import { type JSX, useState } from "react";
import { api } from "../../api/client.ts";
import { accessBy, keepSecret, nextAfter, openPath } from "../../api/sign-in.ts";
import { useAddress } from "../../navigation/location.ts";
import { Button } from "../../ui/button.tsx";
import { NoticeBox } from "../../ui/surface.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { useSubmit } from "../../ui/use-submit.ts";
import { BarePage } from "./bare-page.tsx";

/** Where one password is for everybody. */
export function PasswordSignIn(): JSX.Element {
  const { searchParams } = useAddress();
  const [secret, setSecret] = useState("");
  const { onSubmit, busy, error } = useSubmit(async () => {
    await createClient({ url: api.url, ...accessBy(secret) }).server.version();
    keepSecret(secret);
    openPath(nextAfter(searchParams));
  });
  return (
    <BarePage title="Sign in" about="This server has one shared password.">
      <form className="stack" onSubmit={onSubmit}>
        <TextField
          label="Password"
          hint={
            <>
              The value of <code>ORCHESTRATOR_SERVER_AUTH_STRING</code> on the server, such as
              user:password. It is stored until you close this tab.
            </>
          }
          type="password"
          autoComplete="current-password"
          autoFocus
          value={secret}
          onText={setSecret}
        />
        {error !== undefined && <NoticeBox kind="error">{error}</NoticeBox>}
        <Button kind="primary" type="submit" busy={busy} disabled={secret === ""}>
          Sign in
        </Button>
      </form>
    </BarePage>
  );
}
