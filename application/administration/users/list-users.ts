import { isWithin } from '../../../domain/admin/acls.ts'
import { parseDiscriminator, parseEmail } from '../../../domain/account/names.ts'
import { accountId, type AccountId } from '../../../domain/ids/ids.ts'
import { parseSnowflake } from '../../../domain/ids/snowflake.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'
import type { FoundAccounts, OffsetPage } from '../../ports/queries/account-search-queries.ts'
import type { AdminUserObject } from '../../wire-objects/administration/admin-user-object.ts'
import { boundOf, requireAcl } from '../acls/acl-bound.ts'
import { readAdminUsers, type AdminUserNeeds } from '../acls/read-admin-user.ts'

/** The selector that counts, with its value. */
export type WantedUsers =
  | { readonly selector: 'user_id'; readonly ids: readonly AccountId[] }
  | { readonly selector: 'resolve'; readonly identifier: string }
  | { readonly selector: 'email'; readonly address: string }
  | { readonly selector: 'last_active_ip'; readonly ip: string; readonly page: OffsetPage }
  /** An empty text is every account. */
  | { readonly selector: 'search'; readonly text: string; readonly page: OffsetPage }

export interface ListedUsers {
  readonly users: readonly AdminUserObject[]
  readonly total: number
}

type Needs = AdminUserNeeds &
  Pick<Ports, 'addressHash'> & { readonly aggregates: Pick<Ports['aggregates'], 'emailAddress'> }

/**
 * Finds accounts by one selector. Refuses with MISSING_ACL if the selector needs an ACL that the caller lacks, and with
 * FEATURE_TEMPORARILY_DISABLED if searching is off on this instance. See rules/administration#look-ups.
 */
export function listUsers(ports: Needs) {
  return async (caller: Caller, wanted: WantedUsers): Promise<ListedUsers> => {
    const { ids, total } = await find(ports, caller, wanted)
    const users = await readAdminUsers(ports, caller, ids)
    return { users, total: total ?? users.length }
  }
}

/** The accounts of the page. The total is undefined if the page is all there is. */
type Found = Pick<FoundAccounts, 'ids'> & { readonly total?: number }

async function find(ports: Needs, caller: Caller, wanted: WantedUsers): Promise<Found> {
  switch (wanted.selector) {
    case 'user_id':
      return { ids: wanted.ids }
    case 'resolve':
      return { ids: await resolve(ports, caller, wanted.identifier) }
    case 'email':
      requireAcl(caller, 'user:view:email')
      return { ids: await withAddress(ports, wanted.address) }
    case 'last_active_ip':
      requireAcl(caller, 'user:view:ip')
      return ports.queries.sessions.withLastAddress(wanted.ip, wanted.page)
    case 'search':
      return search(ports, caller, wanted.text, wanted.page)
  }
}

/**
 * The account that one identifier names, if any: the shape of the identifier says of what kind it is. Anything of no other shape
 * is a subscription at a card provider, which no account has here.
 */
async function resolve(ports: Needs, caller: Caller, identifier: string): Promise<readonly AccountId[]> {
  if (identifier.includes('@')) {
    requireAcl(caller, 'user:view:email')
    return withAddress(ports, identifier)
  }
  if (isDigits(identifier)) return idsOf(accountIdIn(identifier))
  const at = identifier.lastIndexOf('#')
  const discriminator = parseDiscriminator(identifier.slice(at + 1))
  if (at < 1 || !discriminator.ok) return []
  return idsOf((await ports.queries.accounts.byTag(identifier.slice(0, at), discriminator.value))?.id)
}

/** The account that an address signs in to; otherwise the oldest of those that have it without a claim (decision 76). */
async function withAddress(
  { aggregates, addressHash, queries }: Needs,
  address: string,
): Promise<readonly AccountId[]> {
  const email = parseEmail(address)
  if (!email.ok) return []
  const [first, ...others] = await queries.accountSearch.withAddress(email.value)
  if (others.length === 0) return idsOf(first)
  const { state } = await aggregates.emailAddress.load(addressHash(email.value))
  const holder = state.status === 'held' ? await queries.accounts.find(state.accountId) : undefined
  return idsOf(holder?.email === email.value ? holder.id : first)
}

/** Addresses are searched only for callers who may see them: they change neither matches, nor order, nor total for others. */
async function search({ queries }: Needs, caller: Caller, text: string, page: OffsetPage): Promise<FoundAccounts> {
  const { accountSearch, accounts } = queries
  if (!(await accountSearch.canSearch())) return reject('FEATURE_TEMPORARILY_DISABLED')
  if (text === '') return accountSearch.newest(page)
  const searched = { text: text.toLowerCase(), inAddresses: isWithin(boundOf(caller), 'user:view:email') }
  const named = isDigits(text) ? accountIdIn(text) : undefined
  const exact = named && (await accounts.find(named))?.id
  if (!exact) return accountSearch.matching({ ...searched, except: undefined }, page)
  // It is the first of the list, and the search gives the others. An erased one, which the search misses, counts as well.
  const isFirstPage = page.offset === 0
  const others = isFirstPage ? { limit: page.limit - 1, offset: 0 } : { ...page, offset: page.offset - 1 }
  const { ids, total } = await accountSearch.matching({ ...searched, except: exact }, others)
  return { ids: isFirstPage ? [exact, ...ids] : ids, total: total + 1 }
}

const isDigits = (text: string): boolean => /^[0-9]+$/.test(text)

function accountIdIn(digits: string): AccountId | undefined {
  const parsed = parseSnowflake(digits)
  return parsed.ok ? accountId(parsed.id) : undefined
}

const idsOf = (id: AccountId | undefined): readonly AccountId[] => (id === undefined ? [] : [id])
