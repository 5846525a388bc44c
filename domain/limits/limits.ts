/** Limits that operators cannot set. limit-keys.ts has those that they can. */
export const accountLimits = {
  /** How many OAuth2 applications an account can own. */
  maxApplications: 25,
} as const
