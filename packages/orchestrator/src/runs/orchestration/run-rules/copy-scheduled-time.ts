import { change, only, type RunRule } from "../rule.ts";
import { withDetails } from "../run-state.ts";

/** A claimed run still knows for when it was scheduled. */
export const copyScheduledTime: RunRule = {
  name: "copy-scheduled-time",
  from: only("SCHEDULED"),
  to: only("PENDING"),
  before: ({ initial, proposed }) => {
    const time = initial?.state_details.scheduled_time ?? null;
    if (time === null || proposed.state_details.scheduled_time !== null) return;
    return change(withDetails(proposed, { scheduled_time: time }));
  },
};
