// A worker reads what its jobs print and keeps it with their runs. What this process keeps with its
// run itself is marked, so that it is not kept twice.

/** Set in the environment by whoever reads the marks. */
export const MARK_LINES_VARIABLE = "ORCHESTRATOR_SDK_MARK_LINES";
export const LINE_MARKER = "\u001e";

/** The text as it is printed. */
export function withLineMarkers(text: string): string {
  if (process.env[MARK_LINES_VARIABLE] !== "1") return text;
  return text
    .split("\n")
    .map((line) => LINE_MARKER + line)
    .join("\n");
}

export const marksLines = (): boolean => process.env[MARK_LINES_VARIABLE] === "1";
