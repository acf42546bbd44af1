/** The manifest from which Slack makes the app: `oj channel add slack` prints it. */

/** With an address, Slack sends clicks there (Events API); without one, they come through Socket Mode. */
export function slackManifest(eventsUrl: string | null): object {
  const address = eventsUrl === null ? {} : { url: eventsUrl };
  const request = eventsUrl === null ? {} : { request_url: eventsUrl };
  return {
    display_information: {
      name: "Oddjobs",
      description: "Coding agents ask, people decide.",
      background_color: "#1f2937",
    },
    features: {
      bot_user: { display_name: "oj", always_online: true },
      // direct messages are read there, and nobody needs to write
      app_home: { home_tab_enabled: false, messages_tab_enabled: true, messages_tab_read_only_enabled: true },
      slash_commands: [
        { command: "/oj", description: "What waits for you", should_escape: true, ...address },
      ],
    },
    oauth_config: { scopes: { bot: ["chat:write", "chat:write.public", "commands", "im:write"] } },
    settings: {
      interactivity: { is_enabled: true, ...request },
      org_deploy_enabled: false,
      socket_mode_enabled: eventsUrl === null,
      token_rotation_enabled: false,
    },
  };
}
