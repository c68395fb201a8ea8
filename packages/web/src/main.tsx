import "./ui/theme.css";
import { QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { noticeFailure } from "./api/presence.ts";
import { App } from "./app/app.tsx";
import { applyTheme } from "./ui/theme.ts";

applyTheme();

// The client repeats what failed on the way; asking again here would only hide the server's own
// words.
const queries = new QueryClient({
  queryCache: new QueryCache({ onError: noticeFailure }),
  defaultOptions: { queries: { retry: false, staleTime: 5000, refetchOnWindowFocus: true } },
});

const root = document.getElementById("root");
if (root === null) throw new Error("The page has no place for the application");
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <App />
    </QueryClientProvider>
  </StrictMode>,
);
