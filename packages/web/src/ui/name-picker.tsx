import "./name-picker.css";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type JSX, useDeferredValue, useId, useState } from "react";
import { IconButton } from "./button.tsx";
import { Input } from "./form.tsx";

export interface PickedName {
  readonly id: string;
  readonly name: string;
}

export interface NameSource {
  /** How its queries begin, as in api/live.ts. */
  readonly key: string;
  readonly find: (text: string, signal: AbortSignal) => Promise<readonly PickedName[]>;
}

/**
 * One of many things by some letters of its name. Nothing is asked for until somebody types; what
 * is chosen stands as a chip.
 */
export function NamePicker({
  label,
  source,
  value,
  name,
  onValue,
}: {
  readonly label: string;
  readonly source: NameSource;
  /** Empty: none is chosen. */
  readonly value: string;
  /** What the chosen one is called; undefined until it is known. */
  readonly name: string | undefined;
  readonly onValue: (id: string) => void;
}): JSX.Element {
  if (value !== "") return <Chip text={`${label}: ${name ?? "…"}`} onRemove={() => onValue("")} />;
  return <Finder label={label} source={source} onValue={onValue} />;
}

/** What a list is narrowed to, and a way to widen it again. */
export function Chip({
  text,
  onRemove,
}: {
  readonly text: string;
  readonly onRemove: () => void;
}): JSX.Element {
  return (
    <span className="chip">
      <span title={text}>{text}</span>
      <IconButton small icon="cross" label={`Clear ${text}`} onClick={onRemove} />
    </span>
  );
}

function Finder({
  label,
  source,
  onValue,
}: {
  readonly label: string;
  readonly source: NameSource;
  readonly onValue: (id: string) => void;
}): JSX.Element {
  const [text, setText] = useState<string>();
  const typed = useDeferredValue(text);
  const list = useId();
  const found = useQuery({
    queryKey: [source.key, "found", typed],
    enabled: typed !== undefined,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => source.find(typed ?? "", signal),
  });
  const fitting = found.isPlaceholderData || typed !== text ? undefined : found.data;
  const isNone = text !== undefined && text !== "" && fitting?.length === 0;
  return (
    <div className="name-picker">
      <Input
        aria-label={label}
        placeholder={label}
        list={list}
        value={text ?? ""}
        aria-invalid={isNone}
        title={isNone ? "No matches" : undefined}
        // Who has typed enough of a name need not go through the list.
        onKeyDown={({ key }) => {
          const [first] = fitting ?? [];
          if (key === "Enter" && text !== "" && first) onValue(first.id);
        }}
        onFocus={() => setText((before) => before ?? "")}
        onChange={({ target }) => {
          setText(target.value);
          const one = found.data?.find(({ name }) => name === target.value);
          if (one) onValue(one.id);
        }}
      />
      <datalist id={list}>
        {found.data?.map(({ id, name }) => (
          <option key={id} value={name} />
        ))}
      </datalist>
    </div>
  );
}
