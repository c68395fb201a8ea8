import { jobTemplate } from "./job-template.ts";
import { flag, optional, text } from "./properties.ts";

export const PROCESS = jobTemplate({
  variables: {
    stream_output: flag("Whether the worker's own output shows what the process prints.", {
      default: true,
    }),
    working_dir: optional(
      text("Where the process starts; a fresh temporary folder when left out.", {
        title: "Working directory",
        format: "path",
      }),
    ),
  },
});
