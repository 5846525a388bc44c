import { z } from 'zod'
import { sql, type Queries } from '../../application/ports/database.js'
import type { AccountQueries, AccountRecord } from '../../application/ports/queries/account-queries.js'
import { accountIdColumn, instantColumn } from '../columns.js'

/** Reads what `accountColumns` selects. */
export const accountRow = z
  .object({
    account_id: accountIdColumn,
    username: z.string(),
    discriminator: z.int(),
    global_name: z.string().nullable(),
    email: z.string().nullable(),
    email_verified: z.boolean(),
    has_password: z.boolean(),
    date_of_birth: z.string().nullable(),
    locale: z.string(),
    flags: z.string(),
    bot: z.boolean(),
    acls: z.array(z.string()),
    registered_at: instantColumn,
  })
  .transform((row): AccountRecord => ({
    id: row.account_id,
    username: row.username,
    discriminator: row.discriminator,
    globalName: row.global_name,
    email: row.email,
    emailVerified: row.email_verified,
    hasPassword: row.has_password,
    dateOfBirth: row.date_of_birth,
    locale: row.locale,
    flags: row.flags,
    bot: row.bot,
    acls: row.acls,
    registeredAt: row.registered_at,
  }))

/** Of accounts.accounts as a. */
export const accountColumns = sql.fragment`
  a.id as account_id, a.username, a.discriminator, a.global_name, a.email, a.email_verified, a.has_password,
  a.date_of_birth, a.locale, a.flags, a.bot, a.acls, a.registered_at`

/** The queries over the accounts read model. */
export function accountQueries(database: Queries): AccountQueries {
  return {
    find: (account) =>
      database.maybeOne(
        sql.type(accountRow)`select ${accountColumns} from accounts.accounts a where a.id = ${account}`,
      ),
    findMany: (accounts) =>
      database.any(sql.type(accountRow)`
        select ${accountColumns} from accounts.accounts a where a.id = any(${sql.array([...accounts], 'int8')})`),
    bySession: (tokenHash) =>
      database.maybeOne(sql.type(accountRow)`
        select ${accountColumns}
        from accounts.sessions s join accounts.accounts a on a.id = s.account_id
        where s.token_hash = ${tokenHash}`),
    byTag: (username, discriminator) =>
      database.maybeOne(sql.type(accountRow)`
        select ${accountColumns} from accounts.accounts a
        where lower(a.username) = ${username.toLowerCase()} and a.discriminator = ${discriminator}`),
  }
}
