import { type JSX, type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { errorText } from "../lib/error-text.ts";
import { Button } from "./button.tsx";
import { NoticeBox } from "./surface.tsx";

/** The browser's own dialog: it keeps the focus inside and closes with Escape. */
export function Dialog({
  title,
  wide = false,
  onClose,
  children,
}: {
  readonly title: string;
  readonly wide?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}): JSX.Element {
  const ref = useRef<HTMLDialogElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const isPressedOutside = useRef(false);
  // It is closed while it is still there: only then the focus goes back to where it was.
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    // A body that scrolls takes the focus, which is for the first field.
    if (document.activeElement === body.current)
      body.current?.querySelector<HTMLElement>("input, select, textarea, button")?.focus();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={ref}
      className={wide ? "dialog dialog--wide" : "dialog"}
      aria-label={title}
      // It may have been closed and opened again before the browser tells of it.
      onClose={() => {
        if (!ref.current?.open) onClose();
      }}
      onPointerDown={({ target }) => {
        isPressedOutside.current = target === ref.current;
      }}
      // Whoever marks a text may let go outside, and wants to keep it.
      onClick={({ target }) => {
        if (target === ref.current && isPressedOutside.current) onClose();
      }}
    >
      <div className="dialog__body" ref={body}>
        <h2>{title}</h2>
        {children}
      </div>
    </dialog>
  );
}

/** What can be done with a dialog. It stays in sight, and with it what was wrong with that. */
export function DialogFoot({
  error,
  children,
}: {
  readonly error?: string | undefined;
  readonly children: ReactNode;
}): JSX.Element {
  return (
    <div className="dialog__foot">
      {error !== undefined && <NoticeBox kind="error">{error}</NoticeBox>}
      {children}
    </div>
  );
}

/** Asks before something that cannot be taken back; an error of the server stays in sight. */
export function Confirm({
  title,
  children,
  verb,
  onConfirm,
  onClose,
}: {
  readonly title: string;
  readonly children: ReactNode;
  /** What the button does, such as "Delete 3 runs". */
  readonly verb: string;
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
}): JSX.Element {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const confirm = async () => {
    setBusy(true);
    try {
      await onConfirm();
      onClose();
    } catch (reason) {
      setError(errorText(reason));
      setBusy(false);
    }
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <div>{children}</div>
      <DialogFoot error={error}>
        <Button onClick={onClose}>Keep</Button>
        <Button kind="danger" busy={busy} onClick={() => void confirm()}>
          {verb}
        </Button>
      </DialogFoot>
    </Dialog>
  );
}
