/** What everybody sees in place of an account that is gone (reference identity 9.1). */
export const deletedIdentity = { username: 'DeletedUser', discriminator: 0, globalName: 'Deleted User' } as const
