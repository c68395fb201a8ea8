import { useSyncExternalStore } from "react";

export type Theme = "light" | "dark";

const KEY = "theme";
const system = matchMedia("(prefers-color-scheme: dark)");
const listeners = new Set<() => void>();

/** What was chosen here, or what the system prefers. */
function current(): Theme {
  const chosen = localStorage.getItem(KEY);
  if (chosen === "light" || chosen === "dark") return chosen;
  return system.matches ? "dark" : "light";
}

export function applyTheme(): void {
  document.documentElement.dataset["theme"] = current();
  for (const listener of listeners) listener();
}

system.addEventListener("change", applyTheme);

export function useTheme(): readonly [Theme, () => void] {
  const theme = useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, current);
  return [
    theme,
    () => {
      localStorage.setItem(KEY, theme === "dark" ? "light" : "dark");
      applyTheme();
    },
  ];
}

export type ThemeChoice = Theme | "system";

/** What was chosen, with `system` for no choice at all. */
export function useThemeChoice(): readonly [ThemeChoice, (choice: ThemeChoice) => void] {
  useTheme();
  const chosen = localStorage.getItem(KEY);
  return [
    chosen === "light" || chosen === "dark" ? chosen : "system",
    (choice) => {
      if (choice === "system") localStorage.removeItem(KEY);
      else localStorage.setItem(KEY, choice);
      applyTheme();
    },
  ];
}
