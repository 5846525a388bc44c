import { accept, refuse, type Decider, type Decision } from '../kernel/decider.js'
import type { CreateInvite, DeleteInvite, InviteCommand, RedeemInvite, ReturnRedemption } from './commands.js'
import type { InviteEvent } from './events.js'
import { admits, rememberedRedemptions, stands, type Invite, type InviteState } from './state.js'

/** A code that admits accounts to a guild. Its stream is named by the code, which is what makes a code unique. */
export const invite: Decider<InviteState, InviteCommand, InviteEvent> = {
  category: 'invite',
  initial: { status: 'absent' },
  decide,
  evolve,
}

function decide(state: InviteState, command: InviteCommand): Decision<InviteEvent> {
  switch (command.type) {
    case 'CreateInvite':
      return create(state, command)
    case 'RedeemInvite':
      return redeem(state, command)
    case 'ReturnRedemption':
      return returnRedemption(state, command)
    case 'DeleteInvite':
      return remove(state, command)
  }
}

/** A code is given once, for good. Whoever draws a code that was given already gets CONFLICT and draws again. */
function create(state: InviteState, { terms }: CreateInvite): Decision<InviteEvent> {
  if (state.status === 'absent') return accept({ type: 'InviteCreated', data: terms })
  const isTheSame =
    state.status === 'created' && state.terms.inviterId === terms.inviterId && state.terms.createdAt === terms.createdAt
  return isTheSame ? accept() : refuse('CONFLICT')
}

/**
 * Takes one use, never more than max_uses in all. Gone, expired and used up are one and the same to the caller:
 * UNKNOWN_INVITE. So is a redemption that was returned: accepting it again would admit somebody without a use.
 */
function redeem(state: InviteState, { accountId, redemptionId, now }: RedeemInvite): Decision<InviteEvent> {
  if (state.status !== 'created') return refuse('UNKNOWN_INVITE')
  if (state.redeemed.includes(redemptionId)) return accept()
  if (state.returned.includes(redemptionId) || !admits(state, now)) return refuse('UNKNOWN_INVITE')
  const { code, guildId, inviterId, temporary } = state.terms
  return accept({
    type: 'InviteRedeemed',
    data: { code, guildId, accountId, inviterId, temporary, redemptionId, uses: state.uses + 1 },
  })
}

/**
 * A failed admission consumes no use (contract part 1, Accept invite). A redemption that does not stand has no use to give
 * back; once a record is removed there is nothing to give it back to.
 */
function returnRedemption(state: InviteState, { redemptionId }: ReturnRedemption): Decision<InviteEvent> {
  if (state.status !== 'created' || !stands(state, redemptionId)) return accept()
  return accept({
    type: 'InviteRedemptionReturned',
    data: { code: state.terms.code, redemptionId, uses: state.uses - 1 },
  })
}

/** Removes the record. One that has expired or is used up is no longer there to remove. */
function remove(state: InviteState, { by, now }: DeleteInvite): Decision<InviteEvent> {
  if (state.status !== 'created' || !admits(state, now)) return refuse('UNKNOWN_INVITE')
  return accept({ type: 'InviteDeleted', data: { ...state.terms, uses: state.uses, deletedBy: by } })
}

function evolve(state: InviteState, event: InviteEvent): InviteState {
  switch (event.type) {
    case 'InviteCreated':
      return { status: 'created', terms: event.data, uses: 0, redeemed: [], returned: [] }
    case 'InviteRedeemed':
      return whileCreated(state, (record) => ({
        ...record,
        uses: event.data.uses,
        redeemed: remember(record.redeemed, event.data.redemptionId),
      }))
    case 'InviteRedemptionReturned':
      return whileCreated(state, (record) => ({
        ...record,
        uses: event.data.uses,
        redeemed: record.redeemed.filter((id) => id !== event.data.redemptionId),
        returned: remember(record.returned, event.data.redemptionId),
      }))
    case 'InviteDeleted':
      return { status: 'deleted' }
  }
}

function whileCreated(state: InviteState, next: (record: Invite) => Invite): InviteState {
  return state.status === 'created' ? { status: 'created', ...next(state) } : state
}

function remember(ids: readonly string[], id: string): readonly string[] {
  return [...ids, id].slice(-rememberedRedemptions)
}
