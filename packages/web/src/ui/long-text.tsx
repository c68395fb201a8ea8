import { type JSX, useRef, useState } from "react";
import { Button } from "./button.tsx";
import { useOverflow } from "./use-overflow.ts";

/** A text of any length, such as a stack trace: its beginning, and all of it for who asks. */
export function LongText({ text }: { readonly text: string }): JSX.Element {
  const [isWhole, setWhole] = useState<boolean>();
  const shown = useRef<HTMLSpanElement>(null);
  const isCut = useOverflow(shown, text);
  return (
    <>
      <span ref={shown} className={isWhole ? "long-text" : "long-text long-text--cut"}>
        {text}
      </span>
      {/* Once it was pressed the button stays: whoever is at it with the keyboard keeps their place. */}
      {(isCut || isWhole !== undefined) && (
        <Button small onClick={() => setWhole(!isWhole)}>
          {isWhole ? "Show less" : "Show all"}
        </Button>
      )}
    </>
  );
}
