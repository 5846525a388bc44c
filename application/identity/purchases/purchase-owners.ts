import type { Account } from '../../../domain/account/state.ts'
import { hasFlag } from '../../../domain/account/flags.ts'
import type { AccountId } from '../../../domain/ids/ids.ts'
import type { PossibleOwner, TakeReading } from '../../../domain/store-purchase/commands.ts'
import type { StorePurchaseState } from '../../../domain/store-purchase/state.ts'
import type { PurchaseSecrets } from '../../ports/stores.ts'
import { keyTextOfToken } from './purchase-key.ts'
import type { Ports } from '../../ports.ts'
import { tokenHashOf } from './store-token.ts'

export type OwnerNeeds = Pick<Ports, 'aggregates' | 'queries' | 'storeHash' | 'stores'>

/** What is asked of accounts while one decision is made: each is read once. */
interface Accounts {
  /** Whether an account exists and lacks DELETED. */
  isLive(accountId: AccountId): Promise<boolean>
  /** The account of these that has the token with this hash. */
  holderAmong(accountIds: readonly (AccountId | null)[], tokenHash: string): Promise<AccountId | undefined>
}

/**
 * The accounts that may own a purchase, with the facts that decide which of them does (rules/stores#owner). They are
 * read side by side. The claimer is taken as this process knows it: the claim has just read it.
 */
export async function ownersOf(
  ports: OwnerNeeds,
  known: StorePurchaseState,
  secrets: PurchaseSecrets,
  claimer: AccountId | null,
): Promise<TakeReading['owners']> {
  const accounts = accountsOf(ports, claimer)
  const owner = known.status === 'seen' ? known.owner : null
  const possible = async (accountId: AccountId | null): Promise<PossibleOwner | null> =>
    accountId && {
      accountId,
      isLive: await accounts.isLive(accountId),
      mayUseSandbox: ports.stores.mayUseSandbox(accountId),
    }
  const [present, asked, ofToken, inherited] = await Promise.all([
    possible(owner),
    possible(claimer),
    liveOwnerOf(ports, accounts, secrets.accountToken, [claimer, owner]),
    inheritedOwner(ports, accounts, secrets),
  ])
  return { present, claimer: asked, ofToken, inherited }
}

/** The owner, the claimer and the holder of the token are mostly the same. */
function accountsOf({ aggregates }: Pick<OwnerNeeds, 'aggregates'>, claimer: AccountId | null): Accounts {
  const read = new Map<AccountId, Promise<Account | undefined>>()
  const account = (id: AccountId): Promise<Account | undefined> => {
    const reading =
      read.get(id) ??
      aggregates.account
        .load(id, id === claimer ? 'cached' : 'current')
        .then(({ state }) => (state.status === 'registered' ? state : undefined))
    read.set(id, reading)
    return reading
  }
  return {
    async isLive(id) {
      const state = await account(id)
      return state !== undefined && !hasFlag(state, 'DELETED')
    },
    async holderAmong(ids, tokenHash) {
      for (const id of ids)
        if (id !== null && (await account(id))?.premium.storeToken?.tokenHash === tokenHash) return id
      return undefined
    },
  }
}

/** The live account of a token that a purchase carries. */
export function ownerOfToken(ports: OwnerNeeds, token: string | null): Promise<AccountId | null> {
  return liveOwnerOf(ports, accountsOf(ports, null), token)
}

/** A token never changes, so those who are likely to have it are asked before all others are searched. */
async function liveOwnerOf(
  ports: OwnerNeeds,
  accounts: Accounts,
  token: string | null,
  likely: readonly (AccountId | null)[] = [],
): Promise<AccountId | null> {
  if (token === null) return null
  const tokenHash = tokenHashOf(ports, token)
  const owner = (await accounts.holderAmong(likely, tokenHash)) ?? (await ports.queries.premium.byStoreToken(tokenHash))
  return owner !== undefined && (await accounts.isLive(owner)) ? owner : null
}

/** Store B: who has what this purchase replaces, else what it continues, else whose token that carries. */
async function inheritedOwner(
  ports: OwnerNeeds,
  accounts: Accounts,
  { linkedPurchaseToken, expired }: PurchaseSecrets,
): Promise<AccountId | null> {
  for (const token of [linkedPurchaseToken, expired.purchaseToken]) {
    const owner = token === null ? null : await ownerOfPurchase(ports, accounts, token)
    if (owner !== null) return owner
  }
  return liveOwnerOf(ports, accounts, expired.accountToken)
}

async function ownerOfPurchase(
  ports: OwnerNeeds,
  accounts: Accounts,
  purchaseToken: string,
): Promise<AccountId | null> {
  const { state } = await ports.aggregates.storePurchase.load(ports.storeHash(keyTextOfToken(purchaseToken)))
  const owner = state.status === 'seen' ? state.owner : null
  return owner !== null && (await accounts.isLive(owner)) ? owner : null
}
