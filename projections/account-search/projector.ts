import type { AccountEvent } from '../../domain/account/events.ts'
import { add, patch, projection, put, remove, type RowChange } from '../runner/projection.ts'

/** `totals` has one row. */
export const totalsId = 1
const counted = (by: 1 | -1): RowChange => add('totals', { id: totalsId }, { accounts: by })

/** Accounts by parts of their usernames, display names and addresses, until they are erased. Addresses are in lower case in the events already. */
export const accountSearchProjection = projection<AccountEvent>({
  name: 'account_search',
  answers:
    'Which accounts have a part of a username, or the beginning of a display name or an e-mail address, and how many accounts there are.',
  version: 2,
  tables: new URL('./tables.sql', import.meta.url),
  keys: { accounts: ['id'], totals: ['id'] },
  on: {
    AccountRegistered: ({ data }) => [
      put('accounts', {
        id: data.accountId,
        username: data.username.toLowerCase(),
        global_name: data.globalName?.toLowerCase() ?? null,
        email: data.email,
      }),
      counted(1),
    ],
    TagChanged: ({ data }) => [patch('accounts', { id: data.accountId }, { username: data.username.toLowerCase() })],
    ProfileChanged: ({ data: { accountId, changes } }) =>
      changes?.globalName === undefined
        ? []
        : [patch('accounts', { id: accountId }, { global_name: changes.globalName?.toLowerCase() ?? null })],
    EmailAddressChanged: ({ data }) => [patch('accounts', { id: data.accountId }, { email: data.email })],
    AccountErasureStarted: ({ data }) => [remove('accounts', { id: data.accountId }), counted(-1)],
  },
})
