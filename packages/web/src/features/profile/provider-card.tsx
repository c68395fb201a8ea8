import type { Me } from "@orchestrator/contract";
import { useQuery } from "@tanstack/react-query";
import type { JSX } from "react";
import { authMethodsQuery } from "../../api/session.ts";
import { inWorkspace } from "../../api/workspace.ts";
import { buttonClass } from "../../ui/button.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Card } from "../../ui/surface.tsx";

/** The OpenID provider, where the server has one. */
export function ProviderCard({ me }: { readonly me: Me }): JSX.Element | null {
  const oidc = useQuery(authMethodsQuery).data?.oidc;
  if (!oidc) return null;
  return (
    <Card title={oidc.name}>
      {me.has_identity ? (
        <p className="row">
          <Icon name="check" /> You can sign in with {oidc.name}.
        </p>
      ) : (
        <Connect name={oidc.name} isByKey={me.api_key_id !== null} />
      )}
    </Card>
  );
}

function Connect({
  name,
  isByKey,
}: {
  readonly name: string;
  readonly isByKey: boolean;
}): JSX.Element {
  // A key may be in other hands than those of its user, and opens less.
  if (isByKey)
    return <p className="soft">To connect it, sign in with your password instead of an API key.</p>;
  const back = encodeURIComponent(inWorkspace("/profile"));
  return (
    <div className="stack">
      <p className="soft">Connect it once to sign in with it.</p>
      <div className="row">
        <a className={buttonClass({})} href={`/api/auth/oidc/start?connect=true&return_to=${back}`}>
          Connect {name}
        </a>
      </div>
    </div>
  );
}
