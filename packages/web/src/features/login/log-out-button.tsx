import { useQueryClient } from "@tanstack/react-query";
import type { JSX } from "react";
import { authMode } from "../../api/auth-mode.ts";
import { uptime } from "../../api/uptime.ts";
import { sessionEnded } from "../../api/uptime-session.ts";
import { Button } from "../../ui/button.tsx";
import { toastError } from "../../ui/toasts.tsx";

const SHOWN = ["monitors", "maintenance", "status-pages"];

/** Ends the session on the server, and forgets all that was shown. */
export function LogOutButton(): JSX.Element | null {
  const queries = useQueryClient();
  // With accounts there is one session for the whole page, and one place to end it.
  if (authMode === "accounts") return null;
  const logOut = async () => {
    try {
      await uptime.login.logOut();
      sessionEnded();
      for (const key of SHOWN) queries.removeQueries({ queryKey: [key] });
    } catch (error) {
      toastError(error);
    }
  };
  return (
    <Button kind="plain" icon="user" onClick={() => void logOut()}>
      Log out
    </Button>
  );
}
