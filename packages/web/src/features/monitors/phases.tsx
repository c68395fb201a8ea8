import "./phases.css";
import type { JSX } from "react";
import type { Phases } from "./check-details.ts";
import { msText } from "./monitor-words.ts";

const PHASES = [
  ["dns", "name"],
  ["connect", "connect"],
  ["tls", "encryption"],
  ["first_byte", "first byte"],
  ["download", "download"],
] as const;

/** How the time of a request was spent; `most` is what the whole width stands for. */
export function PhaseBar({
  timings,
  most,
}: {
  readonly timings: Phases;
  readonly most?: number;
}): JSX.Element {
  const parts = PHASES.map(([phase, word]) => ({ phase, word, ms: timings[phase] ?? 0 }));
  const total = parts.reduce((sum, { ms }) => sum + ms, 0);
  const spent = parts.filter(({ ms }) => ms > 0).map(({ word, ms }) => `${word} ${msText(ms)}`);
  // One that was refused at once has not spent a measurable time on anything.
  const words = spent.join(", ") || msText(0);
  return (
    <div className="phases" role="img" aria-label={words} title={words}>
      {parts.map(({ phase, ms }) => (
        <span
          key={phase}
          className={`phase-${phase}`}
          style={{ width: `${(ms / Math.max(total, most ?? 0, 0.001)) * 100}%` }}
        />
      ))}
    </div>
  );
}

export function PhaseLegend({ timings }: { readonly timings: Phases }): JSX.Element {
  return (
    <div className="phases-legend num">
      {PHASES.filter(([phase]) => timings[phase] !== undefined).map(([phase, word]) => (
        <span key={phase}>
          <i className={`phase-${phase}`} />
          {word} {msText(timings[phase])}
        </span>
      ))}
    </div>
  );
}
