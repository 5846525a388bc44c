import type { AccountId } from '../ids/ids.ts'
import type { TakeReading } from './commands.ts'
import type { StorePurchase } from './state.ts'

/** `taken`: another live account has the purchase. */
export type OwnerResult = AccountId | null | 'taken'

/** Whose a purchase is after a reading (rules/stores#owner). */
export function ownerAfter(known: StorePurchase | null, command: TakeReading): OwnerResult {
  return known?.owner ? ownerOfOwned(known, known.owner, command) : ownerOfFree(known, command)
}

function ownerOfOwned(known: StorePurchase, owner: AccountId, command: TakeReading): OwnerResult {
  const { provider, facts, owners } = command
  const { present, claimer } = owners
  const token = newToken(known, command)
  if (provider === 'store_a' && token !== null && token !== owner && !facts.grants) {
    return claimer === null || claimer.accountId === token ? token : 'taken'
  }
  if (claimer === null || claimer.accountId === owner) return owner
  const isSandbox = facts.environment === 'sandbox'
  if (isSandbox && present?.mayUseSandbox !== true && claimer.mayUseSandbox) return claimer.accountId
  return present?.isLive === true ? 'taken' : claimer.accountId
}

function ownerOfFree(known: StorePurchase | null, command: TakeReading): OwnerResult {
  const { provider, facts, owners } = command
  const claimer = owners.claimer?.accountId ?? null
  if (facts.ownershipType === 'FAMILY_SHARED' && claimer === null) return null
  const isReleased = known !== null && known.releasedAt !== null
  const named = tokenOwner(known, command) ?? (provider === 'store_b' && !isReleased ? owners.inherited : null)
  if (named === null || claimer === null || claimer === named) return named ?? claimer
  return 'taken'
}

/** The account of the token, unless the purchase carried that token when it was released. */
function tokenOwner(known: StorePurchase | null, { hashes, owners }: TakeReading): AccountId | null {
  const isOld = hashes.token === null || known?.releasedTokens.includes(hashes.token) === true
  return isOld ? null : owners.ofToken
}

/** The same, if the token differs from the one that is stored. */
function newToken(known: StorePurchase, command: TakeReading): AccountId | null {
  return known.reading?.hashes.token === command.hashes.token ? null : tokenOwner(known, command)
}
