/**
 * The refusals of operations that reach something through a channel: the caller does not see it, may not use it, or may not use
 * it yet.
 */
export const ofChannel = [
  'MISSING_ACCESS',
  'MISSING_PERMISSIONS',
  'NSFW_CONTENT_AGE_RESTRICTED',
  'TWO_FACTOR_REQUIRED',
  'UNKNOWN_CHANNEL',
] as const

/** The refusals of operations that need a permission in a guild. */
export const ofGuild = ['MISSING_PERMISSIONS', 'TWO_FACTOR_REQUIRED', 'UNKNOWN_GUILD'] as const
