/** Who may call: anybody, whoever has the one password, or whoever has signed in. */
type AuthMode = "open" | "password" | "accounts";

/** As the server wrote it into the page. */
export const authMode: AuthMode = modeOf(
  document.querySelector<HTMLMetaElement>('meta[name="auth-mode"]')?.content,
);

function modeOf(text: string | undefined): AuthMode {
  return text === "password" || text === "accounts" ? text : "open";
}
