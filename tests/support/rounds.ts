/** True in `npm run test:long`, which repeats what `npm test` tries a few times only. */
export const isLongRun = process.env["TEST_LONG"] === "1";

/** How often a randomized test, a race or a crash is tried. */
export const rounds = (few: number, many: number): number => (isLongRun ? many : few);
