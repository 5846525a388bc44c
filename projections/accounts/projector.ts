import type { AccountEvent } from '../../domain/account/events.js'
import { patch, projection, put, remove } from '../runner/projection.js'

/** Accounts, by id and tag, and their live sessions. */
export const accountsProjection = projection<AccountEvent>({
  name: 'accounts',
  version: 1,
  tables: new URL('./tables.sql', import.meta.url),
  keys: { accounts: ['id'], sessions: ['token_hash'] },
  on: {
    AccountRegistered: ({ data }) => [
      put('accounts', {
        id: data.accountId,
        username: data.username,
        discriminator: data.discriminator,
        global_name: data.globalName,
        email: data.email,
        email_verified: data.emailVerified,
        has_password: data.passwordHash !== null,
        date_of_birth: data.dateOfBirth,
        locale: data.locale,
        registered_at: data.registeredAt,
      }),
    ],
    AclsGranted: ({ data }) => [patch('accounts', { id: data.accountId }, { acls: data.acls })],
    SessionStarted: ({ data }) => [
      put('sessions', { token_hash: data.tokenHash, account_id: data.accountId, started_at: data.startedAt }),
    ],
    SessionEnded: ({ data }) => [remove('sessions', { token_hash: data.tokenHash })],
  },
})
