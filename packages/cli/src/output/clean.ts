// What servers and programs hand us may hold more than text: sequences that move the cursor,
// rewrite what stands above, set the title or fill the clipboard. None of that reaches a terminal;
// colours do where there may be any.

import { hasColour } from "./style.ts";

/**
 * Strings for the terminal itself (title, clipboard, …), up to their end or the end of the line.
 */
const STRING =
  // oxlint-disable-next-line no-control-regex -- these are the characters that are meant
  /(?:\u001b[\]PX^_]|[\u0090\u0098\u009d\u009e\u009f])[^\u0007\u001b\u009c\n]*(?:\u0007|\u001b\\|\u009c)?/g;
// oxlint-disable-next-line no-control-regex -- the same
const COMMAND = /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]/g;
// oxlint-disable-next-line no-control-regex -- the same
const COLOUR = /^\u001b\[[\d;:]*m$/;
// oxlint-disable-next-line no-control-regex -- the same
const ESCAPED = /\u001b(?!\[[\d;:]*m)[ -/]*[0-~]?/g;
// oxlint-disable-next-line no-control-regex -- the same
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001a\u001c-\u001f\u007f-\u009f]/g;
const RETURN = /\r\n?/g;
const RESET = "\u001b[0m";
const ENDING = /\[(?:0|22|39|49)?m$/;

/** The text without what it would do to a terminal. */
export function clean(text: string, stream: NodeJS.WriteStream = process.stdout): string {
  if (!SUSPICIOUS.test(text)) return text;
  const mayColour = hasColour(stream);
  let last = RESET;
  const kept = text
    .replaceAll(STRING, "")
    .replaceAll(COMMAND, (command) => {
      if (!mayColour || !COLOUR.test(command)) return "";
      last = command;
      return command;
    })
    .replaceAll(ESCAPED, "")
    .replaceAll(RETURN, (found) => (found === "\r\n" ? "\n" : " "))
    .replaceAll(CONTROL, "");
  // Whoever began a colour may have forgotten to end it.
  return ENDING.test(last) ? kept : `${kept}${RESET}`;
}

// oxlint-disable-next-line no-control-regex -- the same
const SUSPICIOUS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

/** JSON has escaped the others itself. */
const UNESCAPED = /[\u007f-\u009f]/g;

/**
 * JSON in which nothing reaches a terminal either, but every character is kept for whoever reads
 * it.
 */
export function escapeJson(json: string): string {
  return json.replaceAll(UNESCAPED, (found) => `\\u00${found.charCodeAt(0).toString(16)}`);
}
