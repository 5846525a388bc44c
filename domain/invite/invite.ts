import { aggregate } from '../kernel/aggregate-definition.ts'
import { accept, refuse, type Decision } from '../kernel/decider.ts'
import { field } from '../kernel/refusal.ts'
import type {
  ClaimCustomCode,
  CreateGroupInvite,
  CreateInvite,
  DeleteInvite,
  InviteCommand,
  RedeemInvite,
  ReleaseCustomCode,
  RestoreInvite,
  ReturnRedemption,
} from './commands.ts'
import { inviteEvents, type InviteEvent } from './events.ts'
import { admits, isOfGuild, rememberedRedemptions, stands, type Invite, type InviteState } from './state.ts'

/** A code that admits accounts to a guild or group. The code names its stream, which makes codes unique. */
export const invite = aggregate({
  category: 'invite',
  identifiedBy: 'the code',
  guards: 'uses, expiry and removal of an invite, and claims of a custom code (decision 35)',
  stateVersion: 1,
  events: inviteEvents,
  initial: { status: 'absent' },
  decide,
  evolve,
})

function decide(state: InviteState, command: InviteCommand): Decision<InviteEvent> {
  switch (command.type) {
    case 'CreateInvite':
    case 'CreateGroupInvite':
      return create(state, command)
    case 'RedeemInvite':
      return redeem(state, command)
    case 'ReturnRedemption':
      return returnRedemption(state, command)
    case 'DeleteInvite':
      return remove(state, command)
    case 'RestoreInvite':
      return restore(state, command)
    case 'ClaimCustomCode':
      return claim(state, command)
    case 'ReleaseCustomCode':
      return release(state, command)
  }
}

/** A code is drawn once, for good. A draw of a used code gets CONFLICT, and the caller draws again. */
function create(state: InviteState, command: CreateInvite | CreateGroupInvite): Decision<InviteEvent> {
  const { terms } = command
  if (state.status === 'absent') return accept(createdBy(command))
  const isTheSame =
    state.status === 'created' && state.terms.inviterId === terms.inviterId && state.terms.createdAt === terms.createdAt
  return isTheSame ? accept() : refuse('CONFLICT')
}

function createdBy(command: CreateInvite | CreateGroupInvite): InviteEvent {
  if (command.type === 'CreateInvite') return { type: 'InviteCreated', data: command.terms }
  return { type: 'GroupInviteCreated', data: { ...command.terms, recipients: command.recipients } }
}

/**
 * Takes one use, never more than max_uses in all. Deleted, expired and used up all give UNKNOWN_INVITE. So does a returned
 * redemption: accepting it again would admit somebody without a use.
 */
function redeem(state: InviteState, { accountId, redemptionId, now }: RedeemInvite): Decision<InviteEvent> {
  if (state.status !== 'created') return refuse('UNKNOWN_INVITE')
  if (state.redeemed.includes(redemptionId)) return accept()
  if (state.returned.includes(redemptionId) || !admits(state, now)) return refuse('UNKNOWN_INVITE')
  const { terms } = state
  const taken = { code: terms.code, accountId, redemptionId, uses: state.uses + 1 }
  if (!isOfGuild(terms)) return accept({ type: 'GroupInviteRedeemed', data: { ...taken, channelId: terms.channelId } })
  const { guildId, inviterId, temporary } = terms
  return accept({ type: 'InviteRedeemed', data: { ...taken, guildId, inviterId, temporary } })
}

/**
 * A failed admission consumes no use (rules/invites#uses). A redemption that does not stand has no use to return, and
 * nothing can be returned to a deleted invite.
 */
function returnRedemption(state: InviteState, { redemptionId }: ReturnRedemption): Decision<InviteEvent> {
  if (state.status !== 'created' || !stands(state, redemptionId)) return accept()
  return accept({
    type: 'InviteRedemptionReturned',
    data: { code: state.terms.code, redemptionId, uses: state.uses - 1 },
  })
}

/** Deletes the invite. An expired or used up one counts as deleted already. */
function remove(state: InviteState, { by, recipients = [], now }: DeleteInvite): Decision<InviteEvent> {
  if (state.status !== 'created' || !admits(state, now)) return refuse('UNKNOWN_INVITE')
  const { terms, uses } = state
  if (isOfGuild(terms)) return accept({ type: 'InviteDeleted', data: { ...terms, uses, deletedBy: by } })
  return accept({ type: 'GroupInviteDeleted', data: { ...terms, uses, deletedBy: by, recipients } })
}

/**
 * Only a deleted invite comes back, and only with uses that are left; one that is there stays as it is. Anything else gets CONFLICT
 * (rules/administration#rewinds).
 */
function restore(state: InviteState, { terms, uses }: RestoreInvite): Decision<InviteEvent> {
  if (state.status === 'created') return accept()
  const isUsedUp = terms.maxUses !== 0 && uses >= terms.maxUses
  if (state.status !== 'deleted' || isUsedUp) return refuse('CONFLICT')
  const maxUses = terms.maxUses === 0 ? 0 : terms.maxUses - uses
  return accept({ type: 'InviteCreated', data: { ...terms, maxUses } })
}

/**
 * A code that another guild has, or that an existing invite has, is taken: VANITY_URL_CODE_ALREADY_TAKEN. Every claim has a new
 * number, so that returning an older one does not release a newer one.
 */
function claim(state: InviteState, { code, guildId }: ClaimCustomCode): Decision<InviteEvent> {
  const isFree = state.status !== 'custom' || state.guildId === null || state.guildId === guildId
  if (state.status === 'created' || !isFree)
    return refuse('INVALID_FORM_BODY', field('code', 'VANITY_URL_CODE_ALREADY_TAKEN'))
  const last = state.status === 'custom' ? state.claim : 0
  return accept({ type: 'CustomCodeClaimed', data: { code, guildId, claim: last + 1 } })
}

/**
 * Returning the newest claim frees the code, once. An older one is only recorded as over, which ends the step that it began: also
 * where the newest one was returned before it.
 */
function release(state: InviteState, { code, guildId, claim: given }: ReleaseCustomCode): Decision<InviteEvent> {
  if (state.status !== 'custom') return accept()
  if (state.guildId === null && given >= state.claim) return accept()
  return accept({ type: 'CustomCodeReleased', data: { code, guildId, claim: given } })
}

function evolve(state: InviteState, event: InviteEvent): InviteState {
  switch (event.type) {
    case 'InviteCreated':
      return { status: 'created', terms: event.data, ...unused }
    case 'GroupInviteCreated': {
      const { recipients: _, ...terms } = event.data
      return { status: 'created', terms, ...unused }
    }
    case 'InviteRedeemed':
    case 'GroupInviteRedeemed':
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
    case 'GroupInviteDeleted':
      return { status: 'deleted' }
    case 'CustomCodeClaimed': {
      const { guildId, claim: number } = event.data
      return { status: 'custom', guildId, claim: number }
    }
    case 'CustomCodeReleased':
      return state.status === 'custom' && state.claim === event.data.claim ? { ...state, guildId: null } : state
  }
}

/** The status after an event, for those that decide it: the others leave it as it is. */
export const inviteStatusAfter = {
  InviteCreated: 'created',
  GroupInviteCreated: 'created',
  InviteDeleted: 'deleted',
  GroupInviteDeleted: 'deleted',
  CustomCodeClaimed: 'custom',
  CustomCodeReleased: 'custom',
} as const satisfies Partial<Record<InviteEvent['type'], InviteState['status']>>

const unused = { uses: 0, redeemed: [], returned: [] } as const

function whileCreated(state: InviteState, next: (record: Invite) => Invite): InviteState {
  return state.status === 'created' ? { status: 'created', ...next(state) } : state
}

function remember(ids: readonly string[], id: string): readonly string[] {
  return [...ids, id].slice(-rememberedRedemptions)
}
