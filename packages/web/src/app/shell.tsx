import "./shell.css";
import { type JSX, Suspense, useEffect, useState } from "react";
import { authMode } from "../api/auth-mode.ts";
import { SERVICES } from "../api/services.ts";
import { SignOutOfPassword } from "../features/session/sign-out-of-password.tsx";
import { UserMenu } from "../features/session/user-menu.tsx";
import { WhereName, WorkspaceSwitcher } from "../features/session/workspace-switcher.tsx";
import { PageLink } from "../navigation/link.tsx";
import { useAddress } from "../navigation/location.ts";
import { IconButton } from "../ui/button.tsx";
import icon from "../ui/icon.svg";
import { Icon } from "../ui/icons.tsx";
import { useTheme } from "../ui/theme.ts";
import { Toasts } from "../ui/toasts.tsx";
import { AwayNotice } from "./away-notice.tsx";
import { ErrorBoundary } from "./failure.tsx";
import { PageAt } from "./pages.tsx";
import { Palette } from "./palette.tsx";
import { placesWith } from "./places.ts";

/** The frame around every page: where one can go, and the page itself. */
export function AppShell(): JSX.Element {
  const [menuOpen, setMenuOpen] = useState(false);
  const [searching, setSearching] = useState(false);
  const { pathname } = useAddress();
  const services = SERVICES;
  const path = pathname === "/" && !services.orchestrator ? "/monitors" : pathname;
  useEffect(() => setMenuOpen(false), [path]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      setSearching((shown) => !shown);
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  return (
    <div className="shell">
      <a className="skip" href="#main">
        Skip to content
      </a>
      <div className="topbar">
        <IconButton icon="menu" label="Menu" onClick={() => setMenuOpen(true)} />
        <PageLink to="/" className="side__brand" style={{ padding: 0 }}>
          <img src={icon} width={22} height={22} alt="" /> <WhereName />
        </PageLink>
        <span style={{ flex: 1 }} />
        <IconButton icon="search" label="Search" onClick={() => setSearching(true)} />
      </div>
      {menuOpen && (
        <button
          type="button"
          className="scrim"
          aria-label="Close menu"
          onClick={() => setMenuOpen(false)}
        />
      )}
      <Side open={menuOpen} path={path} onSearch={() => setSearching(true)} />
      <ErrorBoundary key={path}>
        <Suspense fallback={<main className="page" id="main" aria-busy="true" />}>
          <PageAt path={path} />
        </Suspense>
      </ErrorBoundary>
      {searching && <Palette onClose={() => setSearching(false)} />}
      <AwayNotice />
      <Toasts />
    </div>
  );
}

function Side({
  open,
  path,
  onSearch,
}: {
  readonly open: boolean;
  readonly path: string;
  readonly onSearch: () => void;
}): JSX.Element {
  const [theme, toggleTheme] = useTheme();
  const services = SERVICES;
  return (
    <nav className="side" aria-label="Pages" data-open={open}>
      <PageLink to="/" className="side__brand">
        <img src={icon} width={24} height={24} alt="" /> Orchestrator
      </PageLink>
      {authMode === "accounts" && <WorkspaceSwitcher />}
      <button type="button" className="search-button" onClick={onSearch}>
        <Icon name="search" size={14} /> Search <kbd>Ctrl K</kbd>
      </button>
      <div className="side__places">
        {placesWith(services).map(({ group, places }) => (
          <div key={places[0]?.to}>
            {group && <div className="side__group">{group}</div>}
            {places.map(({ to, label, icon: name }) => (
              <PageLink
                key={to}
                to={to}
                className="nav"
                aria-current={isAt(path, to) ? "page" : undefined}
              >
                <Icon name={name} /> {label}
              </PageLink>
            ))}
          </div>
        ))}
      </div>
      {authMode === "accounts" && <UserMenu />}
      <div className="side__foot">
        <a className="nav" href={services.orchestrator ? "/api/docs" : "/uptime/api/docs"}>
          <Icon name="book" /> API
        </a>
        {authMode === "password" && <SignOutOfPassword />}
        <IconButton
          icon={theme === "dark" ? "sun" : "moon"}
          label={theme === "dark" ? "Light theme" : "Dark theme"}
          onClick={toggleTheme}
        />
      </div>
    </nav>
  );
}

const isAt = (path: string, to: string): boolean =>
  path === to || path.startsWith(`${to}/`) || (path === "/" && to === "/dashboard");
