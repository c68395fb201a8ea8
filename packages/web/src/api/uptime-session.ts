// Whether somebody is logged in to the uptime part, as far as this browser knows: a yes or no,
// never a credential. Asking the server without a session would only be refused.

import { useSyncExternalStore } from "react";
import { authMode } from "./auth-mode.ts";

const KEY = "uptime-session";
const listeners = new Set<() => void>();

function tell(): void {
  for (const listener of listeners) listener();
}

addEventListener("storage", ({ key }) => {
  if (key === KEY) tell();
});

export function sessionBegun(): void {
  localStorage.setItem(KEY, "yes");
  tell();
}

export function sessionEnded(): void {
  localStorage.removeItem(KEY);
  tell();
}

export function useHasSession(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    // With accounts, whoever sees a page at all has signed in.
    () => authMode === "accounts" || localStorage.getItem(KEY) !== null,
  );
}
