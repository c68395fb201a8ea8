import { useQueryClient } from "@tanstack/react-query";
import { type JSX, Suspense, useEffect } from "react";
import { authMode } from "../api/auth-mode.ts";
import { followChanges } from "../api/live.ts";
import { isOutside } from "../api/workspace.ts";
import { SignedIn } from "../features/session/signed-in.tsx";
import { useAddress } from "../navigation/location.ts";
import { Toasts } from "../ui/toasts.tsx";
import { ErrorBoundary } from "./failure.tsx";
import { PageAt } from "./pages.tsx";
import { AppShell } from "./shell.tsx";

/** The page as a whole: the ways in, which anybody sees, and what is behind them. */
export function App(): JSX.Element {
  const { pathname } = useAddress();
  if (isOutside(pathname)) return <Outside path={pathname} />;
  return authMode === "accounts" ? (
    <SignedIn>
      <Inside />
    </SignedIn>
  ) : (
    <Inside />
  );
}

function Outside({ path }: { readonly path: string }): JSX.Element {
  return (
    <>
      <ErrorBoundary key={path}>
        <Suspense fallback={<main className="page" id="main" aria-busy="true" />}>
          <PageAt path={path} />
        </Suspense>
      </ErrorBoundary>
      <Toasts />
    </>
  );
}

function Inside(): JSX.Element {
  const queries = useQueryClient();
  useEffect(() => {
    const gone = new AbortController();
    void followChanges(queries, gone.signal);
    return () => gone.abort();
  }, [queries]);
  return <AppShell />;
}
