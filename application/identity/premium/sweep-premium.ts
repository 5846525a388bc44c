import { membershipId, type AccountId } from '../../../domain/ids/ids.ts'
import { hasEnded, secondsAfter, type Timestamp } from '../../../domain/kernel/timestamp.ts'
import { overAt } from '../../../domain/premium/premium-now.ts'
import { isOver } from '../../../domain/store-purchase/shown-purchase.ts'
import type { StorePurchase } from '../../../domain/store-purchase/state.ts'
import { streamName } from '../../../domain/streams.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import { Refused } from '../../commands/refused.ts'
import { dueContext } from '../../commands/due-context.ts'
import type { OverPremium } from '../../ports/queries/premium-queries.ts'
import type { Ports } from '../../ports.ts'
import { purchasesOf } from './recompute-premium.ts'

export type SweepNeeds = Pick<Ports, 'aggregates' | 'events' | 'images' | 'queries'>

/** Has a purchase read again soon. */
export type RequestRead = (purchase: StorePurchase) => Promise<void>

const page_accounts = 200
/** A subscription that was not read for so long may have been renewed. */
const fresh_s = 30 * 60
/** How long the sweep waits for such a reading. */
const wait_s = 24 * 3600

/**
 * Ends premium that is over, grace included, which tells the sessions of the accounts, and removes their images for
 * single guilds. Premium does not count either way. An account with a subscription that was not read lately waits for a
 * reading, a day at most. Gives how many ended. See rules/stores#premium.
 */
export function sweepPremium(ports: SweepNeeds, requestRead: RequestRead = () => Promise.resolve()) {
  return async (now: Timestamp): Promise<number> => {
    let ended_count = 0
    let after: OverPremium | undefined
    for (;;) {
      const page = await ports.queries.premium.over(now, page_accounts, after)
      for (const due of page) {
        if (await mayBeRenewed(ports, due, now, requestRead)) continue
        if (await end(ports, due.accountId, now)) ended_count += 1
      }
      after = page.at(-1)
      if (page.length < page_accounts) return ended_count
    }
  }
}

async function mayBeRenewed(
  { aggregates }: SweepNeeds,
  { accountId, overAt }: OverPremium,
  now: Timestamp,
  requestRead: RequestRead,
): Promise<boolean> {
  if (hasEnded(secondsAfter(overAt, wait_s), now)) return false
  const { state } = await aggregates.account.load(accountId)
  if (state.status !== 'registered') return false
  const subscriptions = state.premium.purchases.filter(({ kind }) => kind === 'subscription')
  const known = await purchasesOf(
    { aggregates },
    subscriptions.map(({ purchase }) => purchase),
  )
  const stale = known.filter(
    (purchase) =>
      !isOver(purchase) && (purchase.reading === null || purchase.reading.readAt < secondsAfter(now, -fresh_s)),
  )
  for (const purchase of stale) await requestRead(purchase)
  return stale.length > 0
}

async function end(ports: SweepNeeds, accountId: AccountId, now: Timestamp): Promise<boolean> {
  const context = await dueContext(ports, 'premium sweep', streamName('account', accountId), now)
  try {
    // Profiles first: if this process dies, the next sweep finds the account again.
    const { state } = await ports.aggregates.account.load(accountId)
    const over = state.status === 'registered' ? overAt(state.premium) : null
    // It was renewed meanwhile.
    if (over === null || !hasEnded(over, now)) return false
    await removeGuildImages(ports, accountId, context)
    const { changed } = await ports.aggregates.account.execute(accountId, { type: 'EndExpiredPremium', now }, context)
    return changed
  } catch (error) {
    // The account is being erased.
    if (error instanceof Refused && error.refusal.code === 'UNKNOWN_USER') return false
    throw error
  }
}

/** Own images for single guilds are a perk. */
async function removeGuildImages(
  { aggregates, images, queries }: SweepNeeds,
  accountId: AccountId,
  context: CommandContext,
): Promise<void> {
  for (const { guildId, avatar, banner } of await queries.members.ofAccount(accountId)) {
    if (avatar === null && banner === null) continue
    const changes = { avatar: null, avatarColor: null, banner: null, bannerColor: null }
    const change = { type: 'ChangeMember', changes, isOwn: true, timeoutReason: null, now: context.now } as const
    const id = membershipId(guildId, accountId)
    try {
      await aggregates.membership.execute(id, change, context)
      await images.removeAllOf(id)
    } catch (error) {
      // It has left meanwhile.
      if (!(error instanceof Refused)) throw error
    }
  }
}
