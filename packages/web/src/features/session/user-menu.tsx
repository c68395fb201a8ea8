import type { JSX } from "react";
import { signOut, useBrowserSession } from "../../api/session.ts";
import { PageLink } from "../../navigation/link.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Menu } from "../../ui/menu.tsx";
import { toastError } from "../../ui/toasts.tsx";

/** Who has signed in, and what they can do about that. */
export function UserMenu(): JSX.Element | null {
  const session = useBrowserSession();
  if (session === undefined) return null;
  const { name, email, kind } = session.me;
  return (
    <Menu
      up
      label="You"
      button={
        <>
          <Icon name={kind === "service" ? "robot" : "user"} />
          <span className="menu__words">
            <span>{name}</span>
            <span>
              {email ?? (kind === "service" ? "Service account" : "Signed in with a key")}
            </span>
          </span>
          <Icon name="chevron" size={14} />
        </>
      }
    >
      <PageLink role="menuitem" to="/profile">
        <Icon name="user" size={14} /> Your profile
      </PageLink>
      <PageLink role="menuitem" to="/profile#password">
        <Icon name="key" size={14} /> Change password
      </PageLink>
      <PageLink role="menuitem" to="/profile#sessions">
        <Icon name="page" size={14} /> Sessions
      </PageLink>
      <PageLink role="menuitem" to="/account/members">
        <Icon name="people" size={14} /> Account
      </PageLink>
      <div className="menu__line" role="separator" />
      <button type="button" role="menuitem" onClick={() => void signOut().catch(toastError)}>
        <Icon name="leave" size={14} /> Sign out
      </button>
    </Menu>
  );
}
