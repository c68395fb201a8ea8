import { type JSX, type RefObject, useState } from "react";
import { IconButton } from "./button.tsx";

const SHOWN_MS = 1500;

/**
 * Copies a text that stands beside it; where the browser refuses, it is marked there, so that a key
 * copies it.
 */
export function CopyButton({
  text,
  shownIn,
}: {
  readonly text: string;
  readonly shownIn: RefObject<HTMLElement | null>;
}): JSX.Element {
  const [outcome, setOutcome] = useState<"copied" | "refused">();
  const copy = async () => {
    const isCopied = (await copyToClipboard(text)) || copyMarked(text, shownIn.current);
    setOutcome(isCopied ? "copied" : "refused");
    if (isCopied) setTimeout(() => setOutcome(undefined), SHOWN_MS);
  };
  return (
    <>
      <IconButton
        icon={outcome === "copied" ? "check" : "copy"}
        label={outcome === "copied" ? "Copied" : "Copy"}
        small
        onClick={() => void copy()}
      />
      {outcome === "refused" && (
        <div className="field__error" role="alert">
          The browser blocked copying. The text is selected: press Ctrl+C or ⌘C.
        </div>
      )}
    </>
  );
}

async function copyToClipboard(text: string): Promise<boolean> {
  // Only pages that came over https or from the same machine have it.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (clipboard === undefined) return false;
  try {
    await clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** The old way: what is marked is copied. */
function copyMarked(text: string, shown: HTMLElement | null): boolean {
  if (shown !== null) getSelection()?.selectAllChildren(shown);
  let isCopied = false;
  const put = (event: ClipboardEvent) => {
    event.preventDefault();
    event.clipboardData?.setData("text/plain", text);
    isCopied = event.clipboardData !== null;
  };
  document.addEventListener("copy", put);
  try {
    return document.execCommand("copy") && isCopied;
  } finally {
    document.removeEventListener("copy", put);
  }
}
