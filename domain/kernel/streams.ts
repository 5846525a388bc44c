/** The kinds of aggregates. A stream is named `<category>-<id>` (design, Streams). */
export const categories = [
  'account',
  'admin_audit',
  'admin_key',
  'application',
  'blocklist_entry',
  'direct_channel',
  'email_address',
  'guild',
  'guild_audit',
  'handle',
  'instance',
  'invite',
  'membership',
  'network_ban',
  'oauth2_authorization',
  'private_channel',
  'registration_url',
  'relationship',
  'single_sign_on_identity',
  'thread',
  'user_guild_settings',
  'user_settings',
] as const

export type Category = (typeof categories)[number]

export type StreamName = `${Category}-${string}`

/** Names the stream of one aggregate. */
export function streamName(category: Category, id: string): StreamName {
  return `${category}-${id}`
}

/** The category of a stream; undefined if the name is not one of ours. */
export function categoryOf(stream: string): Category | undefined {
  return categories.find((category) => stream.startsWith(`${category}-`))
}

/** The id in a stream's name: everything after the first hyphen. */
export function idOf(stream: string): string {
  return stream.slice(stream.indexOf('-') + 1)
}
