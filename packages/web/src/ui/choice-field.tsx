import "./choice-field.css";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import {
  type JSX,
  type KeyboardEvent,
  type ReactNode,
  useDeferredValue,
  useId,
  useState,
} from "react";
import { errorText } from "../lib/error-text.ts";
import { LabeledField } from "./form.tsx";
import { Icon } from "./icons.tsx";

export interface Choice {
  readonly id: string;
  readonly label: string;
}

export interface ChoiceSource {
  /** How its queries begin, as in api/live.ts. */
  readonly key: readonly string[];
  /** At most `CHOICES` of them: whoever has more types some letters. */
  readonly find: (text: string, signal: AbortSignal) => Promise<readonly Choice[]>;
}

/** So many are offered at once. */
export const CHOICES = 50;
/** Nothing is meant until somebody moves or types. */
const NONE = -1;

/**
 * One of any number of things. They are asked for when somebody opens the list, and found by
 * letters of their names.
 */
export function ChoiceField({
  label,
  error,
  source,
  chosen,
  none,
  onChoice,
}: {
  readonly label: string;
  readonly error?: string | undefined;
  readonly source: ChoiceSource;
  readonly chosen: Choice | null;
  /** What to say where there is nothing at all to choose from. */
  readonly none?: ReactNode;
  readonly onChoice: (choice: Choice | null) => void;
}): JSX.Element {
  /** What somebody types; undefined while the list is closed. */
  const [text, setText] = useState<string>();
  const [at, setAt] = useState(NONE);
  const listId = useId();
  const isOpen = text !== undefined;
  // The name of what is chosen is no question until somebody changes it.
  const typed = text === chosen?.label ? "" : text?.trim();
  const wanted = useDeferredValue(typed);
  const found = useQuery({
    queryKey: [...source.key, "choices", wanted],
    enabled: wanted !== undefined,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => source.find(wanted ?? "", signal),
  });
  const choices = found.data ?? [];
  /** What is listed still answers to earlier letters. */
  const isOld = found.isPlaceholderData || wanted !== typed;
  const open = () => {
    setText(chosen?.label ?? "");
    setAt(NONE);
  };
  const pick = (choice: Choice | undefined) => {
    if (choice === undefined) return;
    onChoice(choice);
    setText(undefined);
  };
  const leave = () => {
    const named = isOld ? undefined : choices.find((choice) => choice.label === typed);
    if (named) onChoice(named);
    else if (text === "" && chosen !== null) onChoice(null);
    setText(undefined);
  };
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      if (isOpen) setAt(Math.max(0, Math.min(at + step, choices.length - 1)));
      else open();
    } else if (!isOpen) return;
    else if (event.key === "Enter") {
      if (!isOld) pick(choices[at]);
    } else if (event.key === "Escape") setText(undefined);
    else return;
    event.preventDefault();
  };
  return (
    <LabeledField label={label} error={error}>
      {(field) => (
        <div
          className="choice"
          onBlur={({ currentTarget, relatedTarget }) => {
            if (!currentTarget.contains(relatedTarget)) leave();
          }}
        >
          <input
            {...field}
            className="input"
            role="combobox"
            autoComplete="off"
            aria-autocomplete="list"
            aria-expanded={isOpen}
            aria-controls={listId}
            aria-activedescendant={isOpen && choices[at] ? `${listId}-${at}` : undefined}
            placeholder="Choose"
            value={text ?? chosen?.label ?? ""}
            onFocus={({ target }) => target.select()}
            onClick={() => {
              if (!isOpen) open();
            }}
            onKeyDown={press}
            onChange={({ target }) => {
              setText(target.value);
              setAt(target.value.trim() === "" ? NONE : 0);
            }}
          />
          <Icon name="chevron" />
          <div className="choice__list" hidden={!isOpen} onMouseDown={keepFocus}>
            <ul id={listId} role="listbox" aria-label={label}>
              {choices.map((choice, i) => (
                <li
                  key={choice.id}
                  id={`${listId}-${i}`}
                  ref={i === at ? showLine : undefined}
                  role="option"
                  aria-selected={i === at}
                  onMouseMove={() => setAt(i)}
                  onClick={() => pick(choice)}
                >
                  {choice.label}
                  {choice.id === chosen?.id && <Icon name="check" />}
                </li>
              ))}
            </ul>
            <ChoiceNote
              error={found.error}
              isAsking={found.data === undefined || found.isPlaceholderData}
              count={choices.length}
              none={wanted === "" ? (none ?? "None yet") : "No matches"}
            />
          </div>
        </div>
      )}
    </LabeledField>
  );
}

function ChoiceNote({
  error,
  isAsking,
  count,
  none,
}: {
  readonly error: Error | null;
  readonly isAsking: boolean;
  readonly count: number;
  readonly none: ReactNode;
}): JSX.Element | null {
  const says =
    (error !== null && errorText(error)) ||
    (count >= CHOICES && "More results: type to filter") ||
    (count === 0 && (isAsking ? "Loading…" : none));
  return says ? (
    <p className="choice__note soft" role="status">
      {says}
    </p>
  ) : null;
}

const showLine = (line: HTMLLIElement | null): void => line?.scrollIntoView({ block: "nearest" });

/** A click into the list is no leaving of the field; links in it still work. */
const keepFocus = (event: { readonly preventDefault: () => void }): void => event.preventDefault();
