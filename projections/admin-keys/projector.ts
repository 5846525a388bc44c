import type { AccountEvent } from '../../domain/account/events.ts'
import type { AdminKeyEvent } from '../../domain/admin-key/events.ts'
import { patch, projection, put, remove, removeWhere } from '../runner/projection.ts'

/** Admin keys, by id and account. A key is removed with the account that it acts for, and with the account's delegations. */
export const adminKeysProjection = projection<AdminKeyEvent | AccountEvent>({
  name: 'admin_keys',
  answers: 'Whose Admin key a hash is.',
  version: 2,
  tables: new URL('./tables.sql', import.meta.url),
  keys: { keys: ['id'] },
  on: {
    AdminKeyCreated: ({ data }) => [
      put('keys', {
        id: data.keyId,
        account_id: data.accountId,
        name: data.name,
        key_hash: data.keyHash,
        acls: data.acls,
        created_at: data.createdAt,
        expires_at: data.expiresAt,
        delegation_version: data.delegationVersion ?? 0,
      }),
    ],
    AdminKeyChanged: ({ data }) => [patch('keys', { id: data.keyId }, { ...data.changes })],
    AdminKeyDeleted: ({ data }) => [remove('keys', { id: data.keyId })],
    // Readers compare the versions, as a request in progress may still make a key under the earlier one. This removes what is void.
    DelegationsEnded: ({ data }) => [removeWhere('keys', { account_id: data.accountId })],
    AccountErasureStarted: ({ data }) => [removeWhere('keys', { account_id: data.accountId })],
  },
})
