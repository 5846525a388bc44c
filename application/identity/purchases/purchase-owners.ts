import { hasFlag } from '../../../domain/account/flags.js'
import type { AccountId } from '../../../domain/ids/ids.js'
import type { PossibleOwner, TakeReading } from '../../../domain/store-purchase/commands.js'
import type { StorePurchaseState } from '../../../domain/store-purchase/state.js'
import { keyTextOfToken, type PurchaseSecrets } from '../../ports/stores.js'
import type { Ports } from '../../ports.js'
import { tokenHashOf } from './store-token.js'

export type OwnerNeeds = Pick<Ports, 'aggregates' | 'queries' | 'storeHash' | 'stores'>

/** Who may own a purchase, as the rules of reference stores 1.19 need it. */
export async function ownersOf(
  ports: OwnerNeeds,
  known: StorePurchaseState,
  secrets: PurchaseSecrets,
  claimer: AccountId | null,
): Promise<TakeReading['owners']> {
  const present = known.status === 'seen' ? known.owner : null
  return {
    present: present && (await possibleOwner(ports, present)),
    claimer: claimer && (await possibleOwner(ports, claimer)),
    ofToken: await ownerOfToken(ports, secrets.accountToken),
    inherited: await inheritedOwner(ports, secrets),
  }
}

async function possibleOwner(ports: OwnerNeeds, accountId: AccountId): Promise<PossibleOwner> {
  return {
    accountId,
    isLive: await isLive(ports, accountId),
    mayUseSandbox: ports.stores.mayUseSandbox(accountId),
  }
}

/** An account is live if it exists and lacks DELETED. */
async function isLive({ aggregates }: OwnerNeeds, accountId: AccountId): Promise<boolean> {
  const { state } = await aggregates.account.load(accountId)
  return state.status === 'registered' && !hasFlag(state, 'DELETED')
}

/** The live account of a token that a purchase carries. */
export async function ownerOfToken(ports: OwnerNeeds, token: string | null): Promise<AccountId | null> {
  const owner = token === null ? undefined : await ports.queries.premium.byStoreToken(tokenHashOf(ports, token))
  return owner !== undefined && (await isLive(ports, owner)) ? owner : null
}

/** Store B: who has what this purchase replaces, else what it continues, else whose token that carries. */
async function inheritedOwner(
  ports: OwnerNeeds,
  { linkedPurchaseToken, expired }: PurchaseSecrets,
): Promise<AccountId | null> {
  for (const token of [linkedPurchaseToken, expired.purchaseToken]) {
    const owner = token === null ? null : await ownerOfPurchase(ports, token)
    if (owner !== null) return owner
  }
  return ownerOfToken(ports, expired.accountToken)
}

async function ownerOfPurchase(ports: OwnerNeeds, purchaseToken: string): Promise<AccountId | null> {
  const { state } = await ports.aggregates.storePurchase.load(ports.storeHash(keyTextOfToken(purchaseToken)))
  const owner = state.status === 'seen' ? state.owner : null
  return owner !== null && (await isLive(ports, owner)) ? owner : null
}
