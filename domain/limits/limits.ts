/** Limits that operators cannot set. limit-keys.ts has those that they can. */
export const accountLimits = {
  /** OAuth2 applications that an account owns (reference identity 7.3). */
  maxApplications: 25,
} as const
