import { type JSX, useSyncExternalStore } from "react";
import { errorText } from "../lib/error-text.ts";
import { IconButton } from "./button.tsx";
import { Icon } from "./icons.tsx";

interface Toast {
  readonly id: number;
  readonly kind: "good" | "error";
  readonly text: string;
}

const SHOWN_MS = { good: 4000, error: 12_000 };
const MOST = 4;
let toasts: readonly Toast[] = [];
let last = 0;
const listeners = new Set<() => void>();

function show(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

const dismiss = (id: number) => show(toasts.filter((toast) => toast.id !== id));

export function toast(kind: Toast["kind"], text: string): void {
  const id = (last += 1);
  show([...toasts, { id, kind, text }].slice(-MOST));
  setTimeout(() => dismiss(id), SHOWN_MS[kind]);
}

/** Says what the server said. */
export function toastError(error: unknown): void {
  toast("error", errorText(error));
}

export function Toasts(): JSX.Element {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => toasts,
  );
  return (
    <div className="toasts" role="status" aria-live="polite">
      {shown.map(({ id, kind, text }) => (
        <div key={id} className={`toast toast--${kind}`}>
          <Icon name={kind === "good" ? "check" : "incident"} />
          <div style={{ flex: 1 }}>{text}</div>
          <IconButton icon="cross" label="Dismiss" small onClick={() => dismiss(id)} />
        </div>
      ))}
    </div>
  );
}
