import type { SignInProblem } from "@orchestrator/contract";

const PROBLEMS: Readonly<Record<SignInProblem, string>> = {
  refused: "The provider denied access.",
  expired: "Signing in took too long: try again.",
  provider: "The provider sent an invalid response. See the server log.",
  token: "The identity from the provider could not be verified. See the server log.",
  email_unverified: "The provider has not verified your email address.",
  email_taken: "A user with this email address exists already. Sign in the way you did before.",
  identity_taken: "Another user is already connected to this identity.",
  not_invited: "You have no invitation yet. Ask an admin for one.",
};

/** Why the way over the provider led back here. */
export function problemText(problem: string | null): string | undefined {
  if (problem === null) return undefined;
  return Object.hasOwn(PROBLEMS, problem)
    ? PROBLEMS[problem as SignInProblem]
    : `Signing in failed: ${problem}`;
}
