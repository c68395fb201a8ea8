import { NAME_MARK, theMark } from "./mark.ts";

/**
 * Whether JSON is being written by somebody who takes the marks out again, and which were put into
 * it.
 */
export const writing = {
  marks: false,
  hasMarkedNumbers: false,
  hasMarkedNames: false,
  markedNumber(text: string): string {
    writing.hasMarkedNumbers = true;
    return `${theMark().text}${text}`;
  },
  markedName(text: string): string {
    writing.hasMarkedNames = true;
    return `${theMark().text}${NAME_MARK}${text}`;
  },
};
