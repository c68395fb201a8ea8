// What pages are made of: head, cards, facts, notices and what stands where there is nothing yet.
import "./surface.css";
import { type JSX, type ReactNode, useRef } from "react";
import { PageLink } from "../navigation/link.tsx";
import { CopyButton } from "./copy.tsx";
import { Icon, type IconName } from "./icons.tsx";
import { ScrollBox } from "./scroll-box.tsx";

export function PageFrame({
  title,
  about,
  crumbs = [],
  actions,
  children,
}: {
  readonly title: ReactNode;
  readonly about?: ReactNode;
  readonly crumbs?: readonly { readonly label: string; readonly to: string }[];
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}): JSX.Element {
  return (
    <main className="page" id="main">
      <header className="page__head">
        <div className="page__title">
          {crumbs.length > 0 && (
            <nav className="crumbs" aria-label="Where this is">
              {crumbs.map(({ label, to }) => (
                <span key={label} className="row">
                  <PageLink to={to}>{label}</PageLink>
                  <span aria-hidden="true">/</span>
                </span>
              ))}
            </nav>
          )}
          <h1 title={typeof title === "string" ? title : undefined}>{title}</h1>
          {about && <div className="soft">{about}</div>}
        </div>
        {actions && <div className="row">{actions}</div>}
      </header>
      {children}
    </main>
  );
}

export function Card({
  title,
  tools,
  actions,
  flush = false,
  children,
}: {
  readonly title?: ReactNode;
  /** What stands where a title would, and is none. */
  readonly tools?: ReactNode;
  readonly actions?: ReactNode;
  /** Without a margin inside, for tables and charts. */
  readonly flush?: boolean;
  readonly children: ReactNode;
}): JSX.Element {
  return (
    <section className="card">
      {(title || tools || actions) && (
        <div className="card__head">
          {title && <h2>{title}</h2>}
          {tools}
          {actions && <div className="row">{actions}</div>}
        </div>
      )}
      <div className={flush ? "card__body--flush" : "card__body"}>{children}</div>
    </section>
  );
}

export function Facts({
  items,
}: {
  readonly items: readonly (readonly [string, ReactNode])[];
}): JSX.Element {
  return (
    <dl className="facts">
      {items.map(([name, value]) => (
        <div key={name} style={{ display: "contents" }}>
          <dt>{name}</dt>
          <dd>{isNothing(value) ? <span className="faint">–</span> : value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** What `condition && …` comes to where there is nothing to say. */
const isNothing = (value: ReactNode): boolean =>
  value === undefined || value === null || value === false || value === "";

/** Where nothing is yet: what would stand here, and the first step towards it. */
export function Empty({
  icon,
  title,
  children,
  command,
}: {
  readonly icon: IconName;
  readonly title: string;
  readonly children?: ReactNode;
  readonly command?: string;
}): JSX.Element {
  return (
    <div className="empty">
      <Icon name={icon} size={28} />
      <h2>{title}</h2>
      {children}
      {command && <Code text={command} />}
    </div>
  );
}

export function NoticeBox({
  kind,
  children,
}: {
  readonly kind?: "error" | "warn";
  readonly children: ReactNode;
}): JSX.Element {
  return (
    <div
      className={kind === undefined ? "notice" : `notice notice--${kind}`}
      role={kind === "error" ? "alert" : "status"}
    >
      <Icon name={kind === undefined ? "question" : "incident"} />
      <div>{children}</div>
    </div>
  );
}

export function Code({
  text,
  label = "Code",
}: {
  readonly text: string;
  /** What it is, where it may be long. */
  readonly label?: string;
}): JSX.Element {
  const shown = useRef<HTMLElement>(null);
  const isLong = text.length > LONG_CODE;
  return (
    <div className="code">
      <ScrollBox as="pre" label={label} className={isLong ? "code__long" : undefined}>
        <code ref={shown}>{isLong ? text : wordsOf(text)}</code>
      </ScrollBox>
      <CopyButton text={text} shownIn={shown} />
    </div>
  );
}

/**
 * Beyond this it scrolls within itself, so that what stands below it is found, and is one text: a
 * word each takes seconds to draw.
 */
const LONG_CODE = 2000;

/** Lines are broken between words, not within `--an-option`. */
const wordsOf = (text: string): ReactNode[] =>
  text.split(/(\s+)/).map((part, i) => (i % 2 === 0 ? <span key={i}>{part}</span> : part));

/**
 * `most` is for where there is little room; the others are named to whoever points at how many they
 * are.
 */
export function TagChips({
  tags,
  most = tags.length,
}: {
  readonly tags: readonly string[];
  readonly most?: number;
}): JSX.Element | null {
  if (tags.length === 0) return null;
  const others = tags.slice(most);
  return (
    <span className="row tags">
      {tags.slice(0, most).map((tag) => (
        <span key={tag} className="tag" title={tag}>
          {tag}
        </span>
      ))}
      {others.length > 0 && (
        <span className="faint num" title={others.join(", ")}>
          +{others.length}
        </span>
      )}
    </span>
  );
}

export function Skeleton({ lines = 3 }: { readonly lines?: number }): JSX.Element {
  return (
    <div className="stack-tight" role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, i) => (
        <div key={i} className="skeleton" style={{ width: `${90 - ((i * 17) % 40)}%` }} />
      ))}
    </div>
  );
}
