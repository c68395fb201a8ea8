import "./automations.css";
import type { AutomationSimulation, TriggerEvaluation } from "@orchestrator/contract";
import type { JSX, ReactNode } from "react";
import { shortly } from "../../lib/time.ts";
import { PageLink } from "../../navigation/link.tsx";
import { StateBadge } from "../../ui/state.tsx";
import { Ago } from "../../ui/time.tsx";

type Firing = AutomationSimulation["firings"][number];

/** Something that fired, or why it did not. */
export function Evaluations({
  entries,
}: {
  readonly entries: readonly TriggerEvaluation[];
}): JSX.Element {
  return (
    <div className="evaluations">
      {entries.map((entry, i) => {
        const { verdict, message, times, mismatch, ...facts } = entry;
        return (
          <Entry key={i} time={entry.time} word={verdict} what={message} times={times}>
            {mismatch && (
              <span>
                <code>{mismatch.label}</code> is{" "}
                <code>{mismatch.found === null ? "missing" : mismatch.found}</code>, wanted is{" "}
                <code>{mismatch.wanted.join(", ")}</code>
              </span>
            )}
            <EntryFacts {...facts} />
          </Entry>
        );
      })}
    </div>
  );
}

/** When a trigger would have fired. */
export function Firings({ firings }: { readonly firings: readonly Firing[] }): JSX.Element {
  return (
    <div className="evaluations">
      {firings.map((firing, i) => (
        <Entry key={i} time={firing.time} word="fired" what="It would have fired" times={1}>
          <EntryFacts {...firing} />
        </Entry>
      ))}
    </div>
  );
}

function Entry({
  time,
  word,
  what,
  times,
  children,
}: {
  readonly time: string;
  readonly word: string;
  readonly what: string;
  readonly times: number;
  readonly children: ReactNode;
}): JSX.Element {
  return (
    <div className="evaluation">
      <StateBadge type={word === "fired" ? "COMPLETED" : "PENDING"} name={wordsOf(word)} />
      <span>
        {what}
        {times > 1 && <span className="soft num"> ({times} times)</span>}
      </span>
      <span className="soft">
        <Ago time={time} />
      </span>
      <div className="evaluation__more">{children}</div>
    </div>
  );
}

const wordsOf = (verdict: string): string => {
  const words = verdict.replaceAll("-", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
};

function EntryFacts({
  event,
  labels,
  count,
  threshold,
  window,
}: Pick<TriggerEvaluation, "event" | "labels" | "count" | "threshold" | "window">): JSX.Element {
  const each = Object.entries(labels);
  return (
    <>
      {event && <PageLink to={`/events/${event.id}`}>{event.event}</PageLink>}
      {threshold > 0 && <span className="num">{`${count} of ${threshold}`}</span>}
      {window && <span>{`${shortly(window.starts)} to ${shortly(window.ends)}`}</span>}
      {each.length > 0 && <code>{each.map(([name, value]) => `${name}=${value}`).join(", ")}</code>}
    </>
  );
}
