import { blockOf, flag, secret, text } from "./properties.ts";

export const DOCKER_REGISTRY_CREDENTIALS = {
  DockerRegistryCredentials: blockOf({
    slug: "docker-registry-credentials",
    properties: {
      username: text(),
      password: secret(),
      registry_url: text("Where the registry is; `https://` may be left out.", {
        examples: ["index.docker.io"],
      }),
      reauth: flag("Whether to log in anew each time.", { title: "Log in anew", default: true }),
    },
    required: ["username", "password", "registry_url"],
    secretFields: ["password"],
  }),
};
