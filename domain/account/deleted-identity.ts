/** The names shown for an account that is gone. */
export const deletedIdentity = { username: 'DeletedUser', discriminator: 0, globalName: 'Deleted User' } as const
