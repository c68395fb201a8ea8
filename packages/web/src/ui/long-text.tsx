import { type JSX, useState } from "react";
import { Button } from "./button.tsx";

const LINES = 4;
const LETTERS = 320;

/** A text of any length, such as a stack trace: its beginning, and all of it for who asks. */
export function LongText({ text }: { readonly text: string }): JSX.Element {
  const [isWhole, setWhole] = useState(false);
  const isLong = text.length > LETTERS || text.trimEnd().split("\n").length > LINES;
  const isCut = isLong && !isWhole;
  return (
    <>
      <span className={isCut ? "long-text long-text--cut" : "long-text"}>{text}</span>
      {isLong && (
        <Button small aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? "Only the beginning" : "All of it"}
        </Button>
      )}
    </>
  );
}
