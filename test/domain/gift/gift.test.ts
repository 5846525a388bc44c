import { describe, expect, it } from 'vitest'
import { gift } from '../../../domain/gift/gift.ts'
import type { GiftEvent } from '../../../domain/gift/events.ts'
import { fold } from '../../../domain/kernel/decider.ts'
import { given } from '../../../domain/testing/given-when-then.ts'
import { laws } from '../../support/laws.ts'
import { ada, grace, start } from '../../../domain/testing/people.ts'
import { giftCommands } from '../../../domain/testing/commands/gift-commands.ts'

laws('gift', giftCommands)

const minted: GiftEvent = {
  type: 'GiftMinted',
  data: { gift: 'g', code: 's', unit: 'months', quantity: 1, createdBy: ada, purchase: 'p', mintedAt: start },
}
const began: GiftEvent = { type: 'GiftRedemptionBegan', data: { gift: 'g', accountId: grace, beganAt: start } }
const redeemed: GiftEvent = { type: 'GiftRedeemed', data: { gift: 'g', accountId: grace, redeemedAt: start } }
const revoked = (accountId: typeof ada | null = grace): GiftEvent => ({
  type: 'GiftRevoked',
  data: { gift: 'g', accountId, revokedAt: start },
})
const reinstated: GiftEvent = { type: 'GiftReinstated', data: { gift: 'g', accountId: grace, reinstatedAt: start } }
const begin = (accountId: typeof ada) => ({ type: 'BeginRedemption', accountId, now: start }) as const
const after = (...events: readonly GiftEvent[]) => fold(gift, events)

describe('a gift code', () => {
  it('is redeemed by one account', () => {
    given(gift, [minted]).when(begin(grace)).then(began)
    given(gift, [minted, began]).when(begin(ada)).refuses('GIFT_REDEMPTION_IN_PROGRESS')
    given(gift, [minted, began, redeemed]).when(begin(ada)).refuses('GIFT_CODE_ALREADY_REDEEMED')
    given(gift, [minted, began, { type: 'GiftRedemptionUndone', data: { gift: 'g' } }])
      .when(begin(grace))
      .then(began)
  })

  it('is not known once it is revoked, and again once that is reversed', () => {
    given(gift, [minted, revoked(null)])
      .when(begin(ada))
      .refuses('UNKNOWN_GIFT_CODE')
    given(gift, []).when(begin(ada)).refuses('UNKNOWN_GIFT_CODE')
    given(gift, [minted, revoked(null), reinstated])
      .when(begin(grace))
      .then(began)
  })

  it('says what the account still has to be told', () => {
    expect(after(minted, began)).toMatchObject({ pending: 'redeem' })
    expect(after(minted, began, redeemed)).toMatchObject({ pending: null })
    expect(after(minted, began, redeemed, revoked())).toMatchObject({ pending: 'take' })
    expect(after(minted, began, revoked(), redeemed)).toMatchObject({ pending: 'take' })
    expect(after(minted, began, revoked(), reinstated, redeemed)).toMatchObject({ pending: 'return', revoked: false })
  })
})
