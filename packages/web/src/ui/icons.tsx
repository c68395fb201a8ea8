// Drawn on a grid of 16, in the colour of the text around them.
import type { JSX } from "react";

const PATHS = {
  dashboard: "M2 2h5v6H2zM9 2h5v3H9zM9 7h5v7H9zM2 10h5v4H2z",
  runs: "M2 4h7M2 8h11M2 12h5M12 3v4",
  flow: "M4 4a1.5 1.5 0 1 0 .01 0M12 4a1.5 1.5 0 1 0 .01 0M8 12a1.5 1.5 0 1 0 .01 0M4 5.5v2h8v-2M8 7.5v3",
  deployment: "M8 1.5l5.5 3v7L8 14.5l-5.5-3v-7zM2.5 4.5L8 7.5l5.5-3M8 7.5v7",
  pool: "M2 4c0-1.1 2.7-2 6-2s6 .9 6 2-2.7 2-6 2-6-.9-6-2zM2 4v8c0 1.1 2.7 2 6 2s6-.9 6-2V4M2 8c0 1.1 2.7 2 6 2s6-.9 6-2",
  block: "M2.5 2.5h4.5v4.5H2.5zM9 2.5h4.5v4.5H9zM2.5 9h4.5v4.5H2.5zM9 9h4.5v4.5H9z",
  variable:
    "M5 2.5C3 2.5 4 8 2 8c2 0 1 5.5 3 5.5M11 2.5c2 0 1 5.5 3 5.5-2 0-1 5.5-3 5.5M6.5 6l3 4M9.5 6l-3 4",
  limit: "M2 13a6 6 0 1 1 12 0M8 13l3-5",
  artifact: "M4 1.5h5l3.5 3.5v9.5H4zM9 1.5V5h3.5M6 8h4.5M6 11h4.5",
  event: "M9 1.5L3.5 9H8l-1 5.5L12.5 7H8z",
  automation: "M3 3h4v4H3zM9 9h4v4H9zM7 5h4.5v4M9 11H4.5V7",
  monitor: "M1.5 8h3l2-5 3 10 2-5h3",
  incident: "M8 2l6.5 11.5h-13zM8 6.5v3.2M8 11.6v.1",
  maintenance:
    "M10 2a3.5 3.5 0 0 0-3.3 4.7L2 11.4 4.6 14l4.7-4.7A3.5 3.5 0 0 0 14 6l-2.3 1.3L10 6l1.5-2.8A3.4 3.4 0 0 0 10 2z",
  page: "M2 3h12v10H2zM2 6h12",
  settings:
    "M8 5.5a2.5 2.5 0 1 0 .01 0M8 1.5v2M8 12.5v2M1.5 8h2M12.5 8h2M3.4 3.4l1.4 1.4M11.2 11.2l1.4 1.4M12.6 3.4l-1.4 1.4M4.8 11.2l-1.4 1.4",
  search: "M7 2.5a4.5 4.5 0 1 0 .01 0M10.5 10.5L14 14",
  check: "M3 8.5l3.2 3L13 4.5",
  cross: "M4 4l8 8M12 4l-8 8",
  bolt: "M9 1.5L3.5 9H8l-1 5.5L12.5 7H8z",
  clock: "M8 2a6 6 0 1 0 .01 0M8 4.8V8l2.4 1.6",
  play: "M5 3l8 5-8 5z",
  pause: "M5 3v10M11 3v10",
  dots: "M3.5 8h.01M8 8h.01M12.5 8h.01",
  slash: "M8 2a6 6 0 1 0 .01 0M4 12l8-8",
  down: "M8 3v10M4 9l4 4 4-4",
  up: "M8 13V3M4 7l4-4 4 4",
  left: "M10 3L5 8l5 5",
  right: "M6 3l5 5-5 5",
  chevron: "M4 6l4 4 4-4",
  plus: "M8 3v10M3 8h10",
  minus: "M3 8h10",
  trash: "M3 4.5h10M6 4.5V3h4v1.5M4.5 4.5l.7 9h5.6l.7-9",
  edit: "M3 13l.6-2.9L10.7 3l2.3 2.3-7.1 7.1z",
  copy: "M5.5 5.5h8v8h-8zM3 10.5h-.5v-8h8V3",
  retry: "M13 8a5 5 0 1 1-1.5-3.6M13 2v3h-3",
  filter: "M2 3h12l-4.7 5.5V13l-2.6-1.5v-3z",
  sun: "M8 5a3 3 0 1 0 .01 0M8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1",
  moon: "M13.5 9.5A6 6 0 0 1 6.5 2.5a6 6 0 1 0 7 7z",
  menu: "M2 4h12M2 8h12M2 12h12",
  link: "M6.5 9.5l3-3M7 5l1.8-1.8a2.5 2.5 0 0 1 3.6 3.6L10.5 8.6M9 11l-1.8 1.8a2.5 2.5 0 0 1-3.6-3.6L5.5 7.4",
  download: "M8 2v8M4.5 7L8 10.5 11.5 7M2.5 13.5h11",
  user: "M8 2.5a2.7 2.7 0 1 0 .01 0M3 13.5c.5-2.7 2.5-4 5-4s4.5 1.3 5 4",
  book: "M3 2.5h7a2 2 0 0 1 2 2v9H5a2 2 0 0 1-2-2zM3 11.5a2 2 0 0 1 2-2h7",
  layers: "M8 2l6 3-6 3-6-3zM2 8l6 3 6-3M2 11l6 3 6-3",
  leave: "M9.5 3H3v10h6.5M7 8h7M11.5 5.5L14 8l-2.5 2.5",
  people:
    "M6 3a2.3 2.3 0 1 0 .01 0M1.8 13c.4-2.5 2-3.7 4.2-3.7s3.8 1.2 4.2 3.7M10.5 3.2a2.2 2.2 0 0 1 0 4.3M11.8 9.5c1.4.4 2.2 1.6 2.5 3.5",
  key: "M5 8a3 3 0 1 0 .01 0M7.2 9l6-6M11 5.2l1.8 1.8",
  robot: "M3 6h10v7.5H3zM8 6V3M6 9.2h.01M10 9.2h.01M6.5 11.5h3",
  question: "M8 2a6 6 0 1 0 .01 0M6.3 6.4A1.8 1.8 0 1 1 8.6 8c-.4.2-.6.5-.6 1M8 11.2v.1",
} as const;

export type IconName = keyof typeof PATHS;

export const isIconName = (name: string): name is IconName => Object.hasOwn(PATHS, name);

/** Beside a word it is decoration; where it stands alone, `label` says what it means. */
export function Icon({
  name,
  label,
  size = 16,
}: {
  readonly name: IconName;
  readonly label?: string;
  readonly size?: number;
}): JSX.Element {
  const meaning =
    label === undefined ? { "aria-hidden": true } : { role: "img", "aria-label": label };
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      style={{ flex: "none" }}
      {...meaning}
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
