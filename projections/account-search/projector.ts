import type { AccountEvent } from '../../domain/account/events.ts'
import { add, patch, projection, put, remove, type RowChange } from '../runner/projection.ts'

/** `totals` has one row. */
export const totalsId = 1
const counted = (by: 1 | -1): RowChange => add('totals', { id: totalsId }, { accounts: by })

/** Accounts by parts of their names and addresses, until they are erased. Addresses are in lower case in the events already. */
export const accountSearchProjection = projection<AccountEvent>({
  name: 'account_search',
  answers:
    'Which accounts have a part of a username, or the beginning of an e-mail address, and how many accounts there are.',
  version: 1,
  tables: new URL('./tables.sql', import.meta.url),
  keys: { accounts: ['id'], totals: ['id'] },
  on: {
    AccountRegistered: ({ data }) => [
      put('accounts', { id: data.accountId, username: data.username.toLowerCase(), email: data.email }),
      counted(1),
    ],
    TagChanged: ({ data }) => [patch('accounts', { id: data.accountId }, { username: data.username.toLowerCase() })],
    EmailAddressChanged: ({ data }) => [patch('accounts', { id: data.accountId }, { email: data.email })],
    AccountErasureStarted: ({ data }) => [remove('accounts', { id: data.accountId }), counted(-1)],
  },
})
