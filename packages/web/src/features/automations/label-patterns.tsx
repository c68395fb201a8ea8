import type { LabelPatterns } from "@orchestrator/contract";
import type { JSX } from "react";
import { splitNames } from "../../lib/words.ts";
import { Button } from "../../ui/button.tsx";
import { TextMap } from "../../ui/text-map.tsx";

const HINT =
  "Label and pattern. Separate alternative patterns with commas. * matches anything; a leading ! negates.";

/** Labels and what they must be like. */
export function PatternsForm({
  label,
  patterns,
  onPatterns,
}: {
  readonly label: string;
  readonly patterns: LabelPatterns;
  readonly onPatterns: (patterns: LabelPatterns) => void;
}): JSX.Element {
  const texts = Object.entries(patterns).map(([name, wanted]) => [
    name,
    typeof wanted === "string" ? wanted : wanted.join(", "),
  ]);
  return (
    <TextMap
      label={label}
      hint={HINT}
      values={Object.fromEntries(texts) as Record<string, string>}
      onValues={(values) =>
        onPatterns(
          Object.fromEntries(
            Object.entries(values).map(([name, text]) => [name, patternsIn(text as string)]),
          ),
        )
      }
    />
  );
}

function patternsIn(text: string): string | readonly string[] {
  const parts = splitNames(text);
  return parts.length > 1 ? parts : text.trim();
}

type Related = LabelPatterns | readonly LabelPatterns[];

/** The same for related resources, for several of them where several are needed. */
export function RelatedPatternsForm({
  patterns,
  onPatterns,
}: {
  readonly patterns: Related;
  readonly onPatterns: (patterns: Related) => void;
}): JSX.Element {
  const sets = isList(patterns) ? patterns : [patterns];
  const put = (next: readonly LabelPatterns[]) =>
    onPatterns(next.length === 1 && next[0] ? next[0] : next);
  return (
    <div className="stack-tight">
      {sets.map((set, i) => (
        <PatternsForm
          key={i}
          label={
            sets.length > 1 ? `Labels of related resource ${i + 1}` : "Labels of a related resource"
          }
          patterns={set}
          onPatterns={(changed) => put(sets.map((old, at) => (at === i ? changed : old)))}
        />
      ))}
      <div className="row">
        <Button small icon="plus" onClick={() => put([...sets, {}])}>
          Add a related resource
        </Button>
        {sets.length > 1 && (
          <Button small icon="cross" onClick={() => put(sets.slice(0, -1))}>
            Remove last
          </Button>
        )}
      </div>
    </div>
  );
}

const isList = (patterns: Related): patterns is readonly LabelPatterns[] => Array.isArray(patterns);
