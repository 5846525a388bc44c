/** Limits that no operator's rule speaks of. Those that one can set: limit-keys.ts. */
export const accountLimits = {
  /** OAuth2 applications that it owns (reference identity 7.3). */
  maxApplications: 25,
} as const
