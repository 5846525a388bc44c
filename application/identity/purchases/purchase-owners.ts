import { hasFlag } from '../../../domain/account/flags.js'
import type { AccountId } from '../../../domain/ids/ids.js'
import type { PossibleOwner, TakeReading } from '../../../domain/store-purchase/commands.js'
import type { StorePurchaseState } from '../../../domain/store-purchase/state.js'
import { keyTextOfToken, type PurchaseSecrets } from '../../ports/stores.js'
import type { Ports } from '../../ports.js'
import { tokenHashOf } from './store-token.js'

export type OwnerNeeds = Pick<Ports, 'aggregates' | 'queries' | 'storeHash' | 'stores'>

/** Says whether an account exists and lacks DELETED. */
type IsLive = (accountId: AccountId) => Promise<boolean>

/** Who may own a purchase, as the rules of reference stores 1.19 need it. What is needed for it is read side by side. */
export async function ownersOf(
  ports: OwnerNeeds,
  known: StorePurchaseState,
  secrets: PurchaseSecrets,
  claimer: AccountId | null,
): Promise<TakeReading['owners']> {
  const isLive = livenessOf(ports)
  const possible = async (accountId: AccountId | null): Promise<PossibleOwner | null> =>
    accountId && {
      accountId,
      isLive: await isLive(accountId),
      mayUseSandbox: ports.stores.mayUseSandbox(accountId),
    }
  const [present, asked, ofToken, inherited] = await Promise.all([
    possible(known.status === 'seen' ? known.owner : null),
    possible(claimer),
    liveOwnerOf(ports, isLive, secrets.accountToken),
    inheritedOwner(ports, isLive, secrets),
  ])
  return { present, claimer: asked, ofToken, inherited }
}

/** Reads each account once: the owner, the claimer and the holder of the token are mostly the same. */
function livenessOf({ aggregates }: OwnerNeeds): IsLive {
  const read = new Map<AccountId, Promise<boolean>>()
  return (accountId) => {
    const live =
      read.get(accountId) ??
      aggregates.account
        .load(accountId)
        .then(({ state }) => state.status === 'registered' && !hasFlag(state, 'DELETED'))
    read.set(accountId, live)
    return live
  }
}

/** The live account of a token that a purchase carries. */
export function ownerOfToken(ports: OwnerNeeds, token: string | null): Promise<AccountId | null> {
  return liveOwnerOf(ports, livenessOf(ports), token)
}

async function liveOwnerOf(ports: OwnerNeeds, isLive: IsLive, token: string | null): Promise<AccountId | null> {
  const owner = token === null ? undefined : await ports.queries.premium.byStoreToken(tokenHashOf(ports, token))
  return owner !== undefined && (await isLive(owner)) ? owner : null
}

/** Store B: who has what this purchase replaces, else what it continues, else whose token that carries. */
async function inheritedOwner(
  ports: OwnerNeeds,
  isLive: IsLive,
  { linkedPurchaseToken, expired }: PurchaseSecrets,
): Promise<AccountId | null> {
  for (const token of [linkedPurchaseToken, expired.purchaseToken]) {
    const owner = token === null ? null : await ownerOfPurchase(ports, isLive, token)
    if (owner !== null) return owner
  }
  return liveOwnerOf(ports, isLive, expired.accountToken)
}

async function ownerOfPurchase(ports: OwnerNeeds, isLive: IsLive, purchaseToken: string): Promise<AccountId | null> {
  const { state } = await ports.aggregates.storePurchase.load(ports.storeHash(keyTextOfToken(purchaseToken)))
  const owner = state.status === 'seen' ? state.owner : null
  return owner !== null && (await isLive(owner)) ? owner : null
}
