import type { JSX } from "react";
import { forgetSecret, hasSecret, openPath } from "../../api/sign-in.ts";
import { IconButton } from "../../ui/button.tsx";

/** Forgets the one password in this tab. */
export function SignOutOfPassword(): JSX.Element | null {
  if (!hasSecret()) return null;
  const signOut = () => {
    forgetSecret();
    openPath("/login");
  };
  return <IconButton icon="leave" label="Sign out" onClick={signOut} />;
}
