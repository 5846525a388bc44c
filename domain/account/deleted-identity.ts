/** The names shown for an account that is gone (reference identity 9.1). */
export const deletedIdentity = { username: 'DeletedUser', discriminator: 0, globalName: 'Deleted User' } as const
