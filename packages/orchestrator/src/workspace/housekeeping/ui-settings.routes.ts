import type { HttpApp } from "@orchestrator/kernel/http";
import type { OrchestratorContext } from "../../context.ts";

/** What a web UI asks for before anything else. It stands at the site's root, not below the API. */
export function uiSettingsRoute(app: HttpApp, ctx: OrchestratorContext): void {
  app.get("/ui-settings", { schema: { hide: true } }, async (request) => ({
    api_url: `${request.protocol}://${request.host}/api`,
    csrf_enabled: ctx.settings.csrfProtectionEnabled,
    auth: ctx.gate.mode === "password" ? "BASIC" : null,
    flags: [],
    default_ui: "v2",
    available_uis: ["v2"],
    v1_base_url: null,
    v2_base_url: "/v2",
  }));
}
