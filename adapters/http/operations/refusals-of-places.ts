/** What an operation refuses with that its caller reaches by a channel: one they don't see, may not use, or may not yet. */
export const ofChannel = [
  'MISSING_ACCESS',
  'MISSING_PERMISSIONS',
  'NSFW_CONTENT_AGE_RESTRICTED',
  'TWO_FACTOR_REQUIRED',
  'UNKNOWN_CHANNEL',
] as const

/** What an operation refuses with that takes a permission in a guild. */
export const ofGuild = ['MISSING_PERMISSIONS', 'TWO_FACTOR_REQUIRED', 'UNKNOWN_GUILD'] as const
