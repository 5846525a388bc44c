import { aggregate } from '../kernel/aggregate-definition.ts'
import { accept, refuse, type Decision } from '../kernel/decider.ts'
import type { BeginRedemption, FinishRedemption, GiftCommand, MintGift } from './commands.ts'
import { giftEvents, type GiftEvent } from './events.ts'
import type { Gift, GiftState } from './state.ts'

/** One gift code: who may redeem it, who did, and whether its purchase was refunded (rules/gifts#redeem). */
export const gift = aggregate({
  category: 'gift',
  identifiedBy: 'a keyed hash of the code',
  guards: 'that a code is redeemed once, and that the time of a refunded one is taken back once (decision 84)',
  stateVersion: 1,
  events: giftEvents,
  initial: { status: 'absent' },
  decide,
  evolve,
})

function decide(state: GiftState, command: GiftCommand): Decision<GiftEvent> {
  if (command.type === 'MintGift') return mint(state, command)
  if (state.status === 'absent') return refuse('UNKNOWN_GIFT_CODE')
  const { gift: id, redemption, revoked, pending } = state
  const accountId = redemption?.accountId ?? null
  switch (command.type) {
    case 'BeginRedemption':
      return begin(state, command)
    case 'FinishRedemption':
      return finish(state, command)
    case 'UndoRedemption':
      if (pending !== 'redeem' || accountId !== command.accountId) return accept()
      return accept({ type: 'GiftRedemptionUndone', data: { gift: id } })
    case 'RevokeGift':
      return revoked ? accept() : accept({ type: 'GiftRevoked', data: { gift: id, accountId, revokedAt: command.now } })
    case 'ReinstateGift':
      if (!revoked) return accept()
      return accept({ type: 'GiftReinstated', data: { gift: id, accountId, reinstatedAt: command.now } })
    case 'NoteTimeTaken':
      if (pending !== 'take') return accept()
      return accept({ type: 'GiftTimeTakenBack', data: { gift: id, time_ms: command.time_ms } })
    case 'NoteTimeReturned':
      if (pending !== 'return') return accept()
      return accept({ type: 'GiftTimeReturned', data: { gift: id, time_ms: command.time_ms } })
  }
}

function mint(state: GiftState, { type: _, now: mintedAt, ...minted }: MintGift): Decision<GiftEvent> {
  return state.status === 'minted' ? accept() : accept({ type: 'GiftMinted', data: { ...minted, mintedAt } })
}

/**
 * Refuses with UNKNOWN_GIFT_CODE once it is revoked, GIFT_REDEMPTION_IN_PROGRESS while a redemption is not finished, and
 * GIFT_CODE_ALREADY_REDEEMED.
 */
function begin({ gift: id, revoked, redemption, pending }: Gift, command: BeginRedemption): Decision<GiftEvent> {
  if (revoked) return refuse('UNKNOWN_GIFT_CODE')
  if (pending === 'redeem') return refuse('GIFT_REDEMPTION_IN_PROGRESS')
  if (redemption !== null) return refuse('GIFT_CODE_ALREADY_REDEEMED')
  const { accountId, now: beganAt } = command
  return accept({ type: 'GiftRedemptionBegan', data: { gift: id, accountId, beganAt } })
}

/** A gift that was revoked meanwhile is redeemed all the same: then its time is taken back. */
function finish({ gift: id, redemption, pending }: Gift, command: FinishRedemption): Decision<GiftEvent> {
  const { accountId, now: redeemedAt } = command
  if (pending !== 'redeem' || redemption?.accountId !== accountId) return accept()
  return accept({ type: 'GiftRedeemed', data: { gift: id, accountId, redeemedAt } })
}

function evolve(state: GiftState, event: GiftEvent): GiftState {
  if (event.type === 'GiftMinted') {
    const { unit, quantity, ...minted } = event.data
    const fresh = { revoked: false, redemption: null, refundedMeanwhile: false, pending: null }
    return { status: 'minted', ...minted, duration: { unit, quantity }, ...fresh }
  }
  return state.status === 'absent' ? state : { status: 'minted', ...evolveMinted(state, event) }
}

function evolveMinted(
  { status: _, ...gift }: Gift & { readonly status: 'minted' },
  event: Exclude<GiftEvent, { readonly type: 'GiftMinted' }>,
): Gift {
  switch (event.type) {
    case 'GiftRedemptionBegan': {
      const { accountId, beganAt: at } = event.data
      return { ...gift, redemption: { accountId, at }, refundedMeanwhile: false, pending: 'redeem' }
    }
    case 'GiftRedeemed': {
      const { accountId, redeemedAt: at } = event.data
      const refund = gift.revoked ? 'take' : 'return'
      return { ...gift, redemption: { accountId, at }, pending: gift.refundedMeanwhile ? refund : null }
    }
    case 'GiftRedemptionUndone':
      return { ...gift, redemption: null, pending: null }
    case 'GiftRevoked':
      return { ...gift, revoked: true, ...toSettle(gift, 'take') }
    case 'GiftReinstated':
      return { ...gift, revoked: false, ...toSettle(gift, 'return') }
    case 'GiftTimeTakenBack':
    case 'GiftTimeReturned':
      return { ...gift, pending: null }
  }
}

/** A redemption that is not finished comes first. */
function toSettle({ pending, redemption }: Gift, next: 'take' | 'return'): Partial<Gift> {
  if (pending === 'redeem') return { refundedMeanwhile: true }
  return redemption === null ? {} : { pending: next }
}
