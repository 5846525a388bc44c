import { refuse } from '../../support/outcomes.ts'
import { tagOf, userObject, type Body, type ModelAccount } from '../account.ts'
import { entryOf, sees, type AdminPlay, type Ask, type AuditEntry } from '../play.ts'

/** Given parameters of List users. Where several are given, the first of them in this order counts. */
export interface Selectors {
  readonly user_id?: readonly string[]
  readonly resolve?: string
  readonly email?: string
  readonly last_active_ip?: string
  readonly q?: string
  readonly limit?: number
  readonly offset?: number
}

export function listUsers(ask: Ask, selectors: Selectors): AdminPlay {
  const pairs = Object.entries(selectors).flatMap(([name, value]: [string, unknown]) =>
    [value].flat().map((each) => [name, String(each)] as [string, string]),
  )
  const { limit = 50, offset = 0, user_id: ids = [] } = selectors
  const faults = [
    ...ids.flatMap((id, index) => (/^\d+$/.test(id) ? [] : [`user_id.${index} INVALID_SNOWFLAKE_FORMAT`])),
    ...(limit < 1 || limit > 200 ? ['limit'] : []),
    ...(offset < 0 || offset > 100_000 ? ['offset'] : []),
  ]
  return {
    method: 'GET',
    path: `/v1/admin/users?${new URLSearchParams(pairs).toString()}`,
    acls: ['user:lookup'],
    faults,
    judge() {
      const { selector, found, metadata } = selected(ask, selectors)
      const users = found.map((account) => userObject(account, sees(ask.actor)))
      const counts = { selector, result_count: String(users.length), total: String(users.length) }
      const entry: AuditEntry = { ...entryOf({ id: '0' }, 'search_users'), metadata: { ...counts, ...metadata } }
      const settle = (answer: Body) => {
        // The order of `user_id` is not promised.
        const order = (answer['users'] as readonly Body[]).map(({ id }) => id)
        return {
          users: users.toSorted((one, other) => order.indexOf(one['id']) - order.indexOf(other['id'])),
          total: users.length,
        }
      }
      return { status: 200, settle, entries: () => [entry] }
    },
  }
}

interface Selected {
  readonly selector: string
  readonly found: readonly ModelAccount[]
  readonly metadata: AuditEntry['metadata']
}

function selected({ world, actor }: Ask, wishes: Selectors): Selected {
  const all = [...world.accounts.values()]
  const requireAcl = (acl: string): void => {
    if (!sees(actor)(acl)) refuse('MISSING_ACL')
  }
  const page = { limit: String(wishes.limit ?? 50), offset: String(wishes.offset ?? 0) }
  const { user_id: ids, resolve, email, last_active_ip: address, q = '' } = wishes
  if (ids) {
    const counted = { user_id_count: String(ids.length), ...(ids.length === 1 ? { user_id: ids[0] } : {}) }
    return { selector: 'user_id', found: all.filter(({ id }) => ids.includes(id)), metadata: counted }
  }
  if (resolve !== undefined) {
    if (resolve.includes('@')) requireAcl('user:view:email')
    const found = all.filter((account) => [tagOf(account), account.id, account.email].includes(resolve))
    return { selector: 'resolve', found, metadata: {} }
  }
  if (email !== undefined) {
    requireAcl('user:view:email')
    return { selector: 'email', found: all.filter((account) => account.email === email.trim()), metadata: {} }
  }
  if (address !== undefined) {
    requireAcl('user:view:ip')
    // The model asks only for an address that nobody had.
    return { selector: 'last_active_ip', found: [], metadata: page }
  }
  // Asked with whole usernames, ids and addresses, which only one account matches.
  const found = all.filter((account) => matches(account, q, sees(actor)('user:view:email')))
  const skipped = found.slice(wishes.offset ?? 0)
  return { selector: 'search', found: skipped, metadata: { ...page, has_query: String(q.trim() !== '') } }
}

const matches = ({ username, id, email }: ModelAccount, q: string, seesEmail: boolean): boolean =>
  username === q || id === q || (seesEmail && email === q)
