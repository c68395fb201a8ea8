import type { SignInProblem } from "@orchestrator/contract";

const PROBLEMS: Readonly<Record<SignInProblem, string>> = {
  refused: "The provider did not let you in.",
  expired: "Signing in took too long: try again.",
  provider: "The provider did not answer as it should. The log of the server says more.",
  token: "What the provider said about you could not be verified. The log of the server says more.",
  email_unverified: "The provider has not verified your email address.",
  email_taken: "Somebody has this email address already: sign in as before.",
  identity_taken: "Somebody else signs in through the provider as this person already.",
  not_invited: "Nobody has invited you yet: ask an admin for an invitation.",
};

/** Why the way over the provider led back here. */
export function problemText(problem: string | null): string | undefined {
  if (problem === null) return undefined;
  return Object.hasOwn(PROBLEMS, problem)
    ? PROBLEMS[problem as SignInProblem]
    : `Signing in failed: ${problem}`;
}
