import { useQueryClient } from "@tanstack/react-query";
import { type JSX, type ReactNode, useState } from "react";
import { uptime } from "../../api/uptime.ts";
import { sessionBegun, useHasSession } from "../../api/uptime-session.ts";
import { Button } from "../../ui/button.tsx";
import { Card, NoticeBox, PageFrame } from "../../ui/surface.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { useSubmit } from "../../ui/use-submit.ts";

/** Shows the pages of the uptime part to whoever is logged in, and the way in to everybody else. */
export function UptimeGate({ children }: { readonly children: ReactNode }): JSX.Element {
  return useHasSession() ? <>{children}</> : <LoginPage />;
}

function LoginPage(): JSX.Element {
  const queries = useQueryClient();
  const [username, setUsername] = useState("admin");
  const [password, setPassword] = useState("");
  const { onSubmit, busy, error } = useSubmit(async () => {
    await uptime.login.logIn({ username, password });
    setPassword("");
    await queries.invalidateQueries();
    sessionBegun();
  });
  return (
    <PageFrame
      title="Log in"
      about="Log in to see monitors, incidents, maintenance and status pages."
    >
      <div style={{ width: "min(420px, 100%)" }}>
        <Card>
          <form className="stack" onSubmit={onSubmit}>
            <TextField
              label="Username"
              autoComplete="username"
              value={username}
              onText={setUsername}
            />
            <TextField
              label="Password"
              type="password"
              autoComplete="current-password"
              autoFocus
              value={password}
              onText={setPassword}
            />
            {error !== undefined && <NoticeBox kind="error">{error}</NoticeBox>}
            <Button
              kind="primary"
              type="submit"
              busy={busy}
              disabled={username === "" || password === ""}
            >
              Log in
            </Button>
            <p className="soft">
              The first start of the server printed a password, unless <code>UPTIME_PASSWORD</code>{" "}
              set one.
            </p>
          </form>
        </Card>
      </div>
    </PageFrame>
  );
}
