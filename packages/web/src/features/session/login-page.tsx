import { useQuery } from "@tanstack/react-query";
import { type JSX, useEffect, useState } from "react";
import { authMode } from "../../api/auth-mode.ts";
import { authMethodsQuery } from "../../api/session.ts";
import { nextAfter, openPath } from "../../api/sign-in.ts";
import { errorText } from "../../lib/error-text.ts";
import { navigate, useAddress } from "../../navigation/location.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { NoticeBox, Skeleton } from "../../ui/surface.tsx";
import { BarePage } from "./bare-page.tsx";
import { EmailForm, KeyForm } from "./login-forms.tsx";
import { PasswordSignIn } from "./password-sign-in.tsx";
import { problemText } from "./sign-in-words.ts";

export function LoginPage(): JSX.Element {
  useEffect(() => {
    if (authMode === "open") navigate("/", { replace: true });
  }, []);
  return authMode === "password" ? <PasswordSignIn /> : <AccountSignIn />;
}

function AccountSignIn(): JSX.Element {
  const { searchParams } = useAddress();
  const [byKey, setByKey] = useState(false);
  const next = nextAfter(searchParams);
  const { data: methods, error } = useQuery(authMethodsQuery);
  const problem = problemText(searchParams.get("problem"));
  const hasKeyForm = byKey || methods?.password === false;
  const done = () => openPath(next);
  return (
    <BarePage title="Sign in">
      <div className="stack">
        {problem !== undefined && <NoticeBox kind="error">{problem}</NoticeBox>}
        {error && <NoticeBox kind="error">{errorText(error)}</NoticeBox>}
        {methods === undefined && !error && <Skeleton lines={4} />}
        {methods?.oidc && (
          <>
            <a
              className={`${buttonClass({})} button--wide`}
              href={`/api/auth/oidc/start?return_to=${encodeURIComponent(next)}`}
            >
              Continue with {methods.oidc.name}
            </a>
            <div className="bare__or">or</div>
          </>
        )}
        {methods && (hasKeyForm ? <KeyForm onDone={done} /> : <EmailForm onDone={done} />)}
        {methods?.password && (
          <Button kind="plain" icon={byKey ? "user" : "key"} onClick={() => setByKey(!byKey)}>
            {byKey ? "Use email and password" : "Use an API key"}
          </Button>
        )}
      </div>
    </BarePage>
  );
}
