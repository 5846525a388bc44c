import { accountId } from '../ids/ids.ts'
import { snowflake } from '../ids/snowflake.ts'

/**
 * Stands where an account does, for the service itself, and for an operator at the command line. It is no account of
 * anybody, and never exists.
 */
export const systemAccountId = accountId(snowflake('0'))

/** The names under which the service writes. */
export const systemIdentity = { username: 'System', discriminator: 0, globalName: 'System' } as const
