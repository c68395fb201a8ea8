import type { HttpApp } from "@orchestrator/kernel/http";
import type { ProgramServiceName } from "./settings.ts";

interface Link {
  readonly href: string;
  readonly label: string;
  readonly about: string;
}

const LINKS: Readonly<Record<ProgramServiceName, readonly Link[]>> = {
  orchestrator: [
    { href: "/api/docs", label: "Orchestration API", about: "Every endpoint, to read and to try" },
    { href: "/api/ready", label: "Readiness", about: "The database and the background loops" },
  ],
  uptime: [
    { href: "/uptime/api/docs", label: "Uptime API", about: "Every endpoint, to read and to try" },
  ],
};
const METRICS: Link = { href: "/metrics", label: "Metrics", about: "For Prometheus" };

const STYLE = `
:root { color-scheme: light dark; --ink: #16181d; --soft: #5b6270; --line: #e3e6eb; --card: #fff; --ground: #f6f7f9; --accent: #2557d6 }
@media (prefers-color-scheme: dark) { :root { --ink: #e8eaee; --soft: #9aa2b1; --line: #2a2f38; --card: #191c22; --ground: #111318; --accent: #7ea2ff } }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif }
main { width: min(34rem, calc(100vw - 2rem)); padding: 2rem 0 }
h1 { margin: 0; font-size: 1.5rem; letter-spacing: -0.01em }
p { margin: 0.25rem 0 1.5rem; color: var(--soft) }
ul { list-style: none; margin: 0; padding: 0; border: 1px solid var(--line); border-radius: 12px; overflow: hidden; background: var(--card) }
li + li { border-top: 1px solid var(--line) }
a { display: flex; flex-wrap: wrap; gap: 0 1rem; justify-content: space-between; padding: 0.85rem 1.1rem; color: var(--accent); text-decoration: none; font-weight: 550 }
a:hover, a:focus-visible { background: color-mix(in srgb, var(--accent) 8%, transparent); outline: none }
span { color: var(--soft); font-weight: 400 }
`;

export interface StartPageOptions {
  readonly version: string;
  readonly services: readonly ProgramServiceName[];
}

/** The page at the root: what runs here and where to go. */
export function serveStartPage(app: HttpApp, { version, services }: StartPageOptions): void {
  const links = [...services.flatMap((name) => LINKS[name]), METRICS];
  const items = links.map(
    ({ href, label, about }) => `<li><a href="${href}">${label} <span>${about}</span></a></li>`,
  );
  const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Orchestrator</title>
<style>${STYLE}</style>
</head>
<body><main><h1>Orchestrator</h1><p>Version ${version} is running.</p><ul>${items.join("")}</ul></main></body>
</html>
`;
  app.get("/", async (_request, reply) => reply.type("text/html; charset=utf-8").send(page));
}
