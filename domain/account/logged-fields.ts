/** What the log of an account's changes is about. `fluxer_tag`: username and discriminator, as in Ada#0001. */
export const loggedFields = ['email', 'fluxer_tag'] as const
export type LoggedField = (typeof loggedFields)[number]
