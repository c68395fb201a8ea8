import type { RecentResult } from "@orchestrator/contract";
import type { JSX } from "react";

const WIDTH = 72;
const HEIGHT = 20;

/** How the latency went, without numbers; those stand beside it. */
export function Sparkline({ results }: { readonly results: readonly RecentResult[] }): JSX.Element {
  const values = results
    .filter(({ status }) => status !== "down")
    .map(({ elapsed_ms }) => elapsed_ms)
    .toReversed();
  const most = Math.max(1, ...values);
  const step = WIDTH / Math.max(1, values.length - 1);
  const points = values.map(
    (value, i) =>
      `${(i * step).toFixed(1)},${(HEIGHT - 1 - (value / most) * (HEIGHT - 2)).toFixed(1)}`,
  );
  return (
    <svg width={WIDTH} height={HEIGHT} aria-hidden="true" style={{ flex: "none" }}>
      {values.length > 1 && (
        <polyline
          points={points.join(" ")}
          fill="none"
          stroke="var(--running)"
          strokeWidth="1.5"
          strokeLinejoin="round"
        />
      )}
    </svg>
  );
}
