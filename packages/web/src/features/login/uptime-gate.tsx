import { useQueryClient } from "@tanstack/react-query";
import { type JSX, type ReactNode, type SubmitEvent, useState } from "react";
import { uptime } from "../../api/uptime.ts";
import { sessionBegun, useHasSession } from "../../api/uptime-session.ts";
import { errorText } from "../../lib/error-text.ts";
import { Button } from "../../ui/button.tsx";
import { Field, Input } from "../../ui/form.tsx";
import { Card, Notice, Page } from "../../ui/surface.tsx";

/** Shows the pages of the uptime part to whoever is logged in, and the way in to everybody else. */
export function UptimeGate({ children }: { readonly children: ReactNode }): JSX.Element {
  return useHasSession() ? <>{children}</> : <LoginPage />;
}

function LoginPage(): JSX.Element {
  const queries = useQueryClient();
  const [username, setUsername] = useState("admin");
  const [password, setPassword] = useState("");
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const logIn = async (event: SubmitEvent) => {
    event.preventDefault();
    setBusy(true);
    try {
      await uptime.login.logIn({ username, password });
      setPassword("");
      await queries.invalidateQueries();
      sessionBegun();
    } catch (reason) {
      setError(errorText(reason));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Page title="Log in" about="Monitors, incidents, maintenance and status pages need an account.">
      <div style={{ width: "min(420px, 100%)" }}>
        <Card>
          <form className="stack" onSubmit={(event) => void logIn(event)}>
            <Field label="User name">
              {(field) => (
                <Input
                  {...field}
                  autoComplete="username"
                  value={username}
                  onChange={({ target }) => setUsername(target.value)}
                />
              )}
            </Field>
            <Field label="Password">
              {(field) => (
                <Input
                  {...field}
                  type="password"
                  autoComplete="current-password"
                  autoFocus
                  value={password}
                  onChange={({ target }) => setPassword(target.value)}
                />
              )}
            </Field>
            {error !== undefined && <Notice kind="error">{error}</Notice>}
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
    </Page>
  );
}
