import { createHash } from "node:crypto";

const LIGHT = `
  color-scheme: light; --ground: #f5f6f8; --card: #fff; --ink: #15181e; --soft: #565d6b; --line: #dfe3e9; --accent: #2350c4;
  --up: #177a41; --degraded: #8a5800; --down: #bb2318; --maintenance: #2350c4; --paused: #565d6b; --unknown: #565d6b;
  --bar-up: #2d9c5d; --bar-degraded: #c98200; --bar-partly: #e0601f; --bar-down: #cb2b20; --bar-none: #b9c0cb;`;
const DARK = `
  color-scheme: dark; --ground: #101217; --card: #181b21; --ink: #e8eaee; --soft: #a3abb9; --line: #2b3039; --accent: #8fadff;
  --up: #5fd394; --degraded: #f0b547; --down: #ff8479; --maintenance: #8fadff; --paused: #a3abb9; --unknown: #a3abb9;
  --bar-up: #3bb270; --bar-degraded: #dba22f; --bar-partly: #ee7d43; --bar-down: #f0574b; --bar-none: #4a515d;`;

export const STYLE = `
:root {${LIGHT}
}
@media (prefers-color-scheme: dark) { :root:not(.light) {${DARK}
} }
:root.dark {${DARK}
}
*, *::before, *::after { box-sizing: border-box }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; overflow-wrap: anywhere }
header, main, footer { width: min(60rem, 100% - 2rem); margin-inline: auto }
header { padding: 2.5rem 0 1.25rem }
main header { width: 100% }
h1 { margin: 0; font-size: 1.75rem; line-height: 1.2; letter-spacing: -0.015em }
h2 { margin: 2.25rem 0 0.6rem; font-size: 1.05rem }
h3 { margin: 0; font-size: 1rem }
p, ul, ol { margin: 0 }
ul, ol { padding: 0; list-style: none }
a { color: var(--accent) }
a:focus-visible, summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px }
.about { margin-top: 0.4rem; color: var(--soft); white-space: pre-line; max-width: 44rem }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 12px }
.overall { display: flex; align-items: center; gap: 0.7rem; padding: 1rem 1.2rem; font-size: 1.2rem; font-weight: 600; border-left: 6px solid currentColor }
.overall span { color: var(--ink) }
.icon { flex: none; width: 1.1em; height: 1.1em; fill: currentColor }
.state { display: inline-flex; align-items: center; gap: 0.4rem; flex: none; font-weight: 600; font-size: 0.925rem }
.up { color: var(--up) } .degraded { color: var(--degraded) } .down { color: var(--down) }
.maintenance { color: var(--maintenance) } .paused, .unknown { color: var(--soft) }
.monitors > li { padding: 1rem 1.2rem }
.monitors > li + li { border-top: 1px solid var(--line) }
.line { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: baseline; gap: 0.1rem 1rem }
.bars { display: flex; align-items: flex-end; gap: 2px; height: 34px; margin-top: 0.6rem }
.bars i, .legend i { flex: 1; min-width: 1px; height: 78%; border-radius: 2px; --bar: var(--bar-none); --pale: color-mix(in srgb, var(--bar) 45%, var(--card)); background: var(--bar) }
.bars .u, .legend .u { --bar: var(--bar-up) }
.bars .g, .legend .g { --bar: var(--bar-degraded); background: repeating-linear-gradient(to top, var(--bar) 0 4px, var(--pale) 4px 6px) }
.bars .p, .legend .p { --bar: var(--bar-partly); height: 100%; background: linear-gradient(to top, var(--pale) 50%, var(--bar) 50%) }
.bars .d, .legend .d { --bar: var(--bar-down); height: 100% }
.bars .n, .legend .n { height: 20% }
.bars i:hover { outline: 2px solid var(--ink); outline-offset: 1px }
.scale { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 0.75rem; margin-top: 0.35rem; color: var(--soft); font-size: 0.8125rem }
.short { display: none }
.figures { color: var(--ink) }
details { margin-top: 0.35rem; font-size: 0.875rem }
summary { color: var(--soft); cursor: pointer; width: fit-content }
details li { padding: 0.1rem 0 0.1rem 1.05rem }
.legend { display: flex; flex-wrap: wrap; gap: 0.25rem 1.1rem; margin-top: 0.75rem; color: var(--soft); font-size: 0.8125rem }
.legend li { display: inline-flex; align-items: center; gap: 0.4rem }
.legend .bar { display: flex; align-items: flex-end; width: 8px; height: 18px }
.entries > li + li { margin-top: 0.75rem }
article { padding: 1rem 1.2rem }
.now article { border-left: 6px solid currentColor }
article > *, article h3 { color: var(--ink) }
article .when { color: var(--soft); font-size: 0.875rem }
.over { color: var(--soft); font-weight: 400 }
.updates { margin-top: 0.7rem; border-left: 2px solid var(--line); padding-left: 0.9rem }
.updates li + li { margin-top: 0.7rem }
.updates p, .text { white-space: pre-line }
.text { margin-top: 0.5rem }
.none { padding: 1rem 1.2rem; color: var(--soft) }
footer { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0.25rem 1.5rem; margin-top: 2.5rem; padding: 1rem 0 2.5rem; border-top: 1px solid var(--line); color: var(--soft); font-size: 0.875rem }
@media (max-width: 40rem) {
  header { padding-top: 1.5rem }
  h1 { font-size: 1.45rem }
  .overall { font-size: 1.075rem }
  .bars i:nth-child(-n + 45), .long { display: none }
  .short { display: inline }
  .figures { order: 1; width: 100% }
}
@media (forced-colors: active) { .bars i, .legend i { forced-color-adjust: none } }
@media print { body { background: #fff } .card { break-inside: avoid } }
`;

const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");

/** Nothing is loaded, run or sent; the one style is the one above. */
export const CONTENT_POLICY =
  `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; img-src data:; base-uri 'none'; ` +
  "form-action 'none'; frame-ancestors 'self'";
