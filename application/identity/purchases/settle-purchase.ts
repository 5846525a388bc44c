import type { AccountId } from '../../../domain/ids/ids.ts'
import { kindOf, purchaseSlots } from '../../../domain/store-purchase/purchase-facts.ts'
import { isOver, owesCode, shownPurchase, type OwnerRights } from '../../../domain/store-purchase/shown-purchase.ts'
import type { StorePurchase, StorePurchaseState } from '../../../domain/store-purchase/state.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import { contextOfTry } from '../../commands/following-context.ts'
import { Refused } from '../../commands/refused.ts'
import { giftIdOf, giftCodeOfPurchase } from '../gifts/gift-codes.ts'
import { mintGift } from '../gifts/mint-gift.ts'
import { reinstateGift, revokeGift } from '../gifts/refund-gift.ts'
import { recomputePremium, type PremiumNeeds } from '../premium/recompute-premium.ts'
import type { Ports } from '../../ports.ts'
import { ownerRights } from './purchase-object.ts'

export type SettlingNeeds = PremiumNeeds & Pick<Ports, 'giftBox' | 'personalDataKeys'>

/** A purchase that changes while it is settled is settled again, this often at most; the process manager does the rest. */
const rounds_max = 3

/**
 * Makes accounts and gifts agree with a purchase: it is unlinked from accounts that lost it and linked to its owner, its gift
 * code is minted once, revoked and reinstated, and the premium of all of them is computed. No store is asked. Safe to repeat, by
 * any number of processes. `known` is what the caller's command has left; without it, the purchase is read. Gives the purchase
 * afterwards. Refuses with STORE_BILLING_UNAVAILABLE if others compute the premium of an account for too long.
 */
export async function settlePurchase(
  ports: SettlingNeeds,
  purchase: string,
  context: CommandContext,
  known?: StorePurchaseState,
): Promise<StorePurchaseState> {
  const { storePurchase } = ports.aggregates
  let state = known ?? (await storePurchase.load(purchase)).state
  for (let round = 0; round < rounds_max; round += 1) {
    if (state.status === 'absent' || (await isSettled(ports, state))) break
    const again = contextOfTry(context, round)
    await settle(ports, state, again)
    const { changes_count } = state
    const command = { type: 'SettlePurchase', changes_count, now: context.now } as const
    state = (await storePurchase.execute(purchase, command, again)).state
  }
  return state
}

/** A gift whose owner may have a code only by now, as where the operator allows test purchases, is settled once more. */
async function isSettled(ports: SettlingNeeds, state: StorePurchase): Promise<boolean> {
  if (state.settled_count !== state.changes_count) return false
  return state.owner === null || !owesCode(state, await rightsOf(ports, state.owner))
}

const noRights: OwnerRights = { mayUseSandbox: false, hasLifetime: false }

/** What an account may have of its purchases; nothing if nobody holds it any more. */
async function rightsOf(ports: SettlingNeeds, owner: AccountId): Promise<OwnerRights> {
  const { state } = await ports.aggregates.account.load(owner, 'cached')
  return state.status === 'registered' ? ownerRights(ports, state) : noRights
}

async function settle(ports: SettlingNeeds, state: StorePurchase, context: CommandContext): Promise<void> {
  const { purchase, owner, leaving } = state
  for (const former of leaving) {
    await orGone(unlink(ports, former, purchase, context))
    await recomputePremium(ports, former, context, { left: [purchase] })
  }
  const isGift = state.reading !== null && kindOf(state.reading.facts.slot) === 'gift'
  const hasOwner = owner !== null && (await orGone(link(ports, owner, state, isGift, context)))
  if (isGift) await settleGiftCode(ports, state, context)
  if (owner !== null && !hasOwner) await forgetSecrets(ports, state, owner)
}

function unlink(ports: SettlingNeeds, accountId: AccountId, purchase: string, context: CommandContext) {
  return ports.aggregates.account.execute(accountId, { type: 'UnlinkPurchase', purchase, now: context.now }, context)
}

/** Links the purchase to its owner. With a subscription, the premium is computed in the same step. */
async function link(
  ports: SettlingNeeds,
  accountId: AccountId,
  { purchase, purchaseId }: StorePurchase,
  isGift: boolean,
  context: CommandContext,
): Promise<void> {
  if (!isGift)
    return recomputePremium(ports, accountId, context, { link: { purchase, purchaseId, kind: 'subscription' } })
  const command = { type: 'LinkPurchase', purchase, purchaseId, kind: 'gift', now: context.now } as const
  await ports.aggregates.account.execute(accountId, command, context)
}

/** False if nobody holds the account any more. */
async function orGone(command: Promise<unknown>): Promise<boolean> {
  try {
    await command
    return true
  } catch (error) {
    if (error instanceof Refused && error.refusal.code === 'UNKNOWN_USER') return false
    throw error
  }
}

/**
 * The purchase names the gift before the gift exists, and the code follows from the purchase: whoever finishes this makes the same
 * code (decision 84).
 */
async function settleGiftCode(ports: SettlingNeeds, known: StorePurchase, context: CommandContext): Promise<void> {
  const { aggregates } = ports
  const { purchase } = known
  const code = giftCodeOfPurchase(ports, purchase)
  const rights = known.owner === null ? noRights : await rightsOf(ports, known.owner)
  const command = { type: 'MintCode', gift: giftIdOf(ports, code), rights, now: context.now } as const
  const { state } = await aggregates.storePurchase.execute(purchase, command, context)
  if (state.status === 'absent' || state.gift === null || state.reading === null) return
  const { unit, quantity } = purchaseSlots[state.reading.facts.slot]
  await mintGift(ports, { code, duration: { unit, quantity }, createdBy: state.owner, purchase }, context)
  if (state.owner !== null)
    await orGone(aggregates.account.execute(state.owner, { type: 'NoteGiftCode', purchase }, context))
  if (shownPurchase(state).state === 'refunded') await revokeGift(ports, state.gift, context)
  else await reinstateGift(ports, state.gift, context)
}

/** Destroys the key of a purchase that is over and whose owner is erased: then nobody can read its secrets (decision 84). */
export async function forgetSecrets(
  { aggregates, personalDataKeys }: Pick<SettlingNeeds, 'aggregates' | 'personalDataKeys'>,
  purchase: StorePurchase,
  owner: AccountId,
): Promise<void> {
  const { state } = await aggregates.account.load(owner)
  const isGone = state.status === 'erasing' || state.status === 'erased'
  if (isGone && isOver(purchase)) await personalDataKeys.destroy(purchase.purchaseId)
}
