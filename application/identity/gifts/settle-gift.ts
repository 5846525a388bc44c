import type { Gift } from '../../../domain/gift/state.ts'
import type { AccountId } from '../../../domain/ids/ids.ts'
import { theInstance } from '../../../domain/instance/state.ts'
import type { GiftLedger } from '../../../domain/premium/gift-ledger.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import { Refused, reject } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'

export type GiftNeeds = Pick<Ports, 'aggregates'>

/** Redeemed, and refunded meanwhile: more steps than that never follow each other. */
const steps_max = 3

/**
 * Brings the account that redeemed a gift up to date with the gift: the account gets its time, loses what is left of it
 * after a refund, or gets that back. A redemption that the account refuses is undone, and refused. Safe to repeat, by
 * any number of processes.
 */
export async function settleGift(ports: GiftNeeds, gift: string, context: CommandContext): Promise<void> {
  for (let step = 0; step < steps_max; step += 1) {
    const { state } = await ports.aggregates.gift.load(gift)
    if (state.status === 'absent' || state.redemption === null || state.pending === null) return
    const { accountId } = state.redemption
    if (state.pending === 'redeem') await finishRedemption(ports, state, state.redemption, context)
    else if (state.pending === 'take') await takeTime(ports, gift, accountId, context)
    else await returnTime(ports, gift, accountId, context)
  }
}

async function finishRedemption(
  { aggregates }: GiftNeeds,
  { gift, duration }: Gift,
  { accountId, at }: NonNullable<Gift['redemption']>,
  context: CommandContext,
): Promise<void> {
  try {
    const number =
      duration.quantity === 0 ? { lifetimeNumber: await lifetimeNumberFor({ aggregates }, accountId, context) } : {}
    // The time counts from when the account asked for it, whoever finishes this.
    const add = { type: 'AddGiftTime', gift, duration, ...number, now: at } as const
    await aggregates.account.execute(accountId, add, context)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    await aggregates.gift.execute(gift, { type: 'UndoRedemption', accountId }, context)
    throw error
  }
  await aggregates.gift.execute(gift, { type: 'FinishRedemption', accountId, now: at }, context)
}

/** The number of an account as a lifetime holder: the next one if it never had one. Refuses with UNKNOWN_USER. */
export async function lifetimeNumberFor(
  { aggregates }: GiftNeeds,
  accountId: AccountId,
  context: CommandContext,
): Promise<number> {
  const { state } = await aggregates.account.load(accountId)
  if (state.status !== 'registered') return reject('UNKNOWN_USER')
  if (state.premium.lifetimeNumber !== null) return state.premium.lifetimeNumber
  const take = { type: 'TakeLifetimeNumber', accountId, now: context.now } as const
  return (await aggregates.instance.execute(theInstance, take, context)).state.lifetimes.given_count
}

async function takeTime({ aggregates }: GiftNeeds, gift: string, accountId: AccountId, context: CommandContext) {
  const ledger = await ledgerAfter(aggregates, accountId, { type: 'TakeGiftTime', gift, now: context.now }, context)
  const time_ms = ledger?.taken.find((taken) => taken.gift === gift)?.time_ms ?? 0
  await aggregates.gift.execute(gift, { type: 'NoteTimeTaken', time_ms }, context)
}

async function returnTime({ aggregates }: GiftNeeds, gift: string, accountId: AccountId, context: CommandContext) {
  const ledger = await ledgerAfter(aggregates, accountId, { type: 'ReturnGiftTime', gift, now: context.now }, context)
  const time_ms = ledger?.gifts.find((returned) => returned.gift === gift)?.time_ms ?? 0
  await aggregates.gift.execute(gift, { type: 'NoteTimeReturned', time_ms }, context)
}

/** Undefined if nobody holds the account any more: no time is left to take or to give back. */
async function ledgerAfter(
  { account }: Ports['aggregates'],
  accountId: AccountId,
  command: Parameters<typeof account.execute>[1],
  context: CommandContext,
): Promise<GiftLedger | undefined> {
  try {
    const { state } = await account.execute(accountId, command, context)
    return state.status === 'registered' ? state.premium.ledger : undefined
  } catch (error) {
    if (error instanceof Refused && error.refusal.code === 'UNKNOWN_USER') return undefined
    throw error
  }
}
