import type { AccountId } from '../../../domain/ids/ids.ts'
import { secondsAfter, type Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { DurationUnit } from '../../../domain/premium/gift-duration.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'
import { deletedAccount } from '../../wire-objects/identity/deleted-account.ts'
import { partialUserObject, type PartialUserObject } from '../../wire-objects/identity/user-objects.ts'
import { giftIdOf, openCode } from './gift-codes.ts'

/** What everybody who knows a code may see of its gift (rules/gifts#codes). */
export interface GiftCodeObject {
  readonly code: string
  readonly duration_type: DurationUnit
  /** 0 is a lifetime. */
  readonly duration_quantity: number
  readonly redeemed: boolean
  /** Absent if the system made it. */
  readonly created_by?: PartialUserObject
}

/** A gift as its buyer sees it. */
export interface GiftMetadataObject {
  readonly code: string
  readonly duration_type: DurationUnit
  readonly duration_quantity: number
  readonly created_at: Timestamp
  readonly created_by: PartialUserObject
  readonly redeemed_at: Timestamp | null
  readonly redeemed_by: PartialUserObject | null
}

/** The gift of a code. Refuses a code that does not exist or is revoked with UNKNOWN_GIFT_CODE. */
export function getGift(ports: Pick<Ports, 'aggregates' | 'giftBox' | 'queries'>) {
  return async (code: string): Promise<GiftCodeObject> => {
    const { state } = await ports.aggregates.gift.load(giftIdOf(ports, code))
    if (state.status === 'absent' || state.revoked) reject('UNKNOWN_GIFT_CODE')
    const { duration, createdBy, redemption } = state
    return {
      code,
      duration_type: duration.unit,
      duration_quantity: duration.quantity,
      redeemed: redemption !== null,
      ...(createdBy === null ? {} : { created_by: (await usersOf(ports, [createdBy]))(createdBy) }),
    }
  }
}

/** How long a redeemed gift stays in the list. */
const redeemedListed_s = 7 * 24 * 3600

/** The gifts that the caller bought, newest first. */
export function listOwnGifts(ports: Pick<Ports, 'giftBox' | 'queries'>) {
  return async ({ account, context }: Caller): Promise<readonly GiftMetadataObject[]> => {
    const gifts = await ports.queries.gifts.createdBy(account.id, secondsAfter(context.now, -redeemedListed_s))
    const user = await usersOf(
      ports,
      gifts.flatMap(({ redeemedBy }) => (redeemedBy === null ? [] : [redeemedBy])),
    )
    return gifts.map(({ gift, code, duration, createdAt, redeemedAt, redeemedBy }) => ({
      code: openCode(ports, gift, code),
      duration_type: duration.unit,
      duration_quantity: duration.quantity,
      created_at: createdAt,
      created_by: partialUserObject(account),
      redeemed_at: redeemedAt,
      redeemed_by: redeemedBy && user(redeemedBy),
    }))
  }
}

/** Looks users up; an account that is gone is shown as deleted. */
async function usersOf(
  { queries }: Pick<Ports, 'queries'>,
  ids: readonly AccountId[],
): Promise<(id: AccountId) => PartialUserObject> {
  const found = ids.length === 0 ? [] : await queries.accounts.findMany([...new Set(ids)])
  const records = new Map(found.map((record) => [record.id, record]))
  return (id) => partialUserObject(records.get(id) ?? deletedAccount(id))
}
