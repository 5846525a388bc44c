import { z } from 'zod'
import { getGift, listOwnGifts } from '../../../../application/identity/gifts/read-gifts.ts'
import { redeemGift } from '../../../../application/identity/gifts/redeem-gift.ts'
import { disablePerks, endPremiumGrace } from '../../../../application/identity/premium/change-own-premium.ts'
import { getPremiumState } from '../../../../application/identity/premium/premium-state.ts'
import { perUser } from '../../bucket.ts'
import { accounts, anyone } from '../../callers.ts'
import { none, operation, type Operation } from '../../operation.ts'
import {
  giftCode,
  giftMetadata,
  giftParams,
  perksDisabled,
  premiumState,
  premiumStateQuery,
} from '../../schemas/identity/premium.ts'

const getPremiumStateOperation = operation({
  name: 'Get premium state',
  description: 'What premium the caller has, and where it comes from.',
  route: 'GET /v1/premium/state',
  callers: accounts(),
  bucket: perUser('premium:state', { requests: 30, seconds: 10 }),
  query: premiumStateQuery,
  replies: { 200: premiumState },
  refuses: ['UNKNOWN_USER'],
  useCase: getPremiumState,
  handle: ({ caller, query }, run) => run(caller, query.country_code ?? null),
})

const disablePerksOperation = operation({
  name: 'Disable premium perks',
  description: "Turns the caller's perks off or on again.",
  route: 'PATCH /v1/premium/perks-disabled',
  callers: accounts(),
  bucket: perUser('premium:perks', { requests: 10, seconds: 60 }),
  body: perksDisabled,
  keepsNoText: true,
  replies: { 200: premiumState },
  refuses: ['UNKNOWN_USER'],
  useCase: disablePerks,
  handle: ({ caller, body }, run) => run(caller, body.disabled),
})

const endGraceOperation = operation({
  name: 'End premium grace',
  description: "Ends the caller's grace period at once; does nothing without one.",
  route: 'POST /v1/premium/grace/end',
  callers: accounts(),
  bucket: perUser('premium:grace:end', { requests: 3, seconds: 60 }),
  replies: { 200: z.object({ success: z.literal(true) }) },
  refuses: ['UNKNOWN_USER'],
  useCase: endPremiumGrace,
  handle: ({ caller }, run) => run(caller),
})

const getGiftOperation = operation({
  name: 'Get gift code',
  description: 'Describes the gift of a code.',
  route: 'GET /v1/gifts/:code',
  callers: anyone(),
  bucket: perUser('gift:get', { requests: 60, seconds: 10 }),
  params: giftParams,
  replies: { 200: giftCode },
  refuses: ['UNKNOWN_GIFT_CODE'],
  useCase: getGift,
  handle: ({ params }, run) => run(params.code),
})

const redeemGiftOperation = operation({
  name: 'Redeem gift code',
  description: 'Redeems a gift code for the caller.',
  route: 'POST /v1/gifts/:code/redeem',
  callers: accounts(),
  bucket: perUser('gift:redeem', { requests: 10, seconds: 60 }),
  params: giftParams,
  replies: { 204: none },
  refuses: [
    'GIFT_CODE_ALREADY_REDEEMED',
    'STORE_PURCHASE_SANDBOX_NOT_ENTITLED',
    'GIFT_NOT_REDEEMABLE_WITH_LIFETIME_PREMIUM',
    'GIFT_REDEMPTION_IN_PROGRESS',
    'PREMIUM_PURCHASE_BLOCKED',
    'PURCHASE_EMAIL_VERIFICATION_REQUIRED',
    'UNCLAIMED_ACCOUNT_CANNOT_MAKE_PURCHASES',
    'UNKNOWN_GIFT_CODE',
    'UNKNOWN_USER',
  ],
  useCase: redeemGift,
  handle: ({ caller, params }, run) => run(caller, params.code),
})

const listOwnGiftsOperation = operation({
  name: 'List own gift codes',
  description: 'The gifts that the caller bought, newest first.',
  route: 'GET /v1/users/@me/gifts',
  callers: accounts(),
  bucket: perUser('gifts:list', { requests: 40, seconds: 10 }),
  replies: { 200: z.array(giftMetadata).readonly() },
  useCase: listOwnGifts,
  handle: ({ caller }, run) => run(caller),
})

/** Premium and gift codes. */
export const premiumOperations: readonly Operation[] = [
  getPremiumStateOperation,
  disablePerksOperation,
  endGraceOperation,
  getGiftOperation,
  redeemGiftOperation,
  listOwnGiftsOperation,
]
