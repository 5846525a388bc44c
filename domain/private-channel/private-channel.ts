import { lacking } from '../permissions/authority.ts'
import { aggregate } from '../kernel/aggregate-definition.ts'
import { accept, refuse, refuseWith, type Decision } from '../kernel/decider.ts'
import { field } from '../kernel/refusal.ts'
import type { AddRecipient, ChangeGroup, CreateGroup, PrivateChannelCommand, RemoveRecipient } from './commands.ts'
import { privateChannelEvents, type PrivateChannelEvent } from './events.ts'
import type { GroupChannel, PrivateChannelState } from './state.ts'

/** A group's channel. As long as it exists, it has an owner, who is one of its recipients. */
export const privateChannel = aggregate({
  category: 'private_channel',
  identifiedBy: 'the channel id',
  guards: 'the recipients (at most 50), the owner and the end of a group',
  stateVersion: 2,
  events: privateChannelEvents,
  // A nickname is personal to the account that it names, a name to the one that gave it.
  subjectOf: (_id, data) => String(data['accountId'] ?? data['changedBy']),
  initial: { status: 'absent' },
  decide,
  evolve,
})

type Standing = GroupChannel & { readonly status: 'standing' }

function decide(state: PrivateChannelState, command: PrivateChannelCommand): Decision<PrivateChannelEvent> {
  if (command.type === 'CreateGroup') return create(state, command)
  if (command.type === 'NoteGroupMessagesRemoved') return noteMessagesRemoved(state)
  if (state.status !== 'standing') return refuse('UNKNOWN_CHANNEL')
  switch (command.type) {
    case 'AddRecipient':
      return add(state, command)
    case 'RemoveRecipient':
      return remove(state, command)
    case 'ChangeGroup':
      return change(state, command)
  }
}

/** Refuses with MAX_GROUP_DM_RECIPIENTS and the limit if there are too many. */
function create(state: PrivateChannelState, command: CreateGroup): Decision<PrivateChannelEvent> {
  const { channelId, ownerId, others, recipients_max, now } = command
  if (state.status !== 'absent') return accept()
  const recipients = [ownerId, ...others]
  if (recipients.length > recipients_max) return tooMany(recipients_max)
  return accept({ type: 'GroupCreated', data: { channelId, recipients, ownerId, createdAt: now } })
}

/**
 * Does nothing if the account is a recipient already. Refuses callers who are not recipients with MISSING_ACCESS, and a full
 * group with MAX_GROUP_DM_RECIPIENTS.
 */
function add(state: Standing, command: AddRecipient): Decision<PrivateChannelEvent> {
  const { accountId, by, recipients_max, redemptionId } = command
  const { channelId, recipients } = state
  if (by !== accountId && !recipients.includes(by)) return refuse('MISSING_ACCESS')
  if (recipients.includes(accountId)) return accept()
  if (recipients.length >= recipients_max) return tooMany(recipients_max)
  const added = { channelId, recipients: [...recipients, accountId], accountId, addedBy: by }
  const data = { ...added, ...(redemptionId !== undefined && { redemptionId }) }
  return accept({ type: 'GroupRecipientAdded', data })
}

/**
 * A recipient can leave, and the owner can remove others: MISSING_PERMISSIONS for anybody else, USER_NOT_IN_CHANNEL if the target
 * is not a recipient. If the owner leaves, the lot selects a successor. The group ends when its last recipient leaves.
 */
function remove(state: Standing, { accountId, by, lot, silent }: RemoveRecipient): Decision<PrivateChannelEvent> {
  const { channelId, ownerId } = state
  if (!state.recipients.includes(by)) return refuse('MISSING_ACCESS')
  if (!state.recipients.includes(accountId)) return refuse('INVALID_FORM_BODY', notInChannel('user_id'))
  if (by !== accountId && by !== ownerId) return refuse(lacking('ownership'))
  const wasOwner = accountId === ownerId
  const recipients = state.recipients.filter((id) => id !== accountId)
  const removed: PrivateChannelEvent = {
    type: 'GroupRecipientRemoved',
    data: { channelId, recipients, accountId, removedBy: by, wasOwner, ...(silent && { silent }) },
  }
  const successor = recipients[lot % recipients.length]
  if (successor === undefined)
    return accept<PrivateChannelEvent>(removed, { type: 'GroupDeleted', data: { channelId } })
  if (!wasOwner) return accept(removed)
  return accept<PrivateChannelEvent>(removed, {
    type: 'GroupOwnerChanged',
    data: { channelId, recipients, ownerId: successor },
  })
}

/**
 * Recipients can change the group's name and their own nicknames. The owner can change all nicknames and pass the
 * ownership to another recipient. Otherwise MISSING_PERMISSIONS, and USER_NOT_IN_CHANNEL for accounts that are not
 * recipients. Who may do what is inferred: no source says it.
 */
function change(state: Standing, command: ChangeGroup): Decision<PrivateChannelEvent> {
  const { channelId, recipients } = state
  const { by, ownerId, nicks = [], changeId } = command
  if (!recipients.includes(by)) return refuse('MISSING_ACCESS')
  if (state.changeId === changeId) return accept()
  const isOwner = by === state.ownerId
  const changesOwner = ownerId !== undefined && ownerId !== state.ownerId
  if (!isOwner && (changesOwner || nicks.some(({ accountId }) => accountId !== by))) return refuse(lacking('ownership'))
  if (changesOwner && !recipients.includes(ownerId)) return refuse('INVALID_FORM_BODY', notInChannel('owner_id'))
  const stranger = nicks.find(({ accountId }) => !recipients.includes(accountId))
  if (stranger) return refuse('INVALID_FORM_BODY', notInChannel(`nicks.${stranger.accountId}`))
  const about = { channelId, recipients, changedBy: by, changeId }
  return accept<PrivateChannelEvent>(
    ...(command.name === undefined ? [] : [{ type: 'GroupRenamed', data: { ...about, name: command.name } } as const]),
    ...(command.icon === undefined || command.icon === state.icon
      ? []
      : [{ type: 'GroupIconChanged', data: { channelId, recipients, icon: command.icon, changedBy: by } } as const]),
    ...nicks.map(({ accountId, nick }) => ({ type: 'GroupNickChanged', data: { ...about, accountId, nick } }) as const),
    ...(changesOwner ? [{ type: 'GroupOwnerChanged', data: { channelId, recipients, ownerId } } as const] : []),
  )
}

function noteMessagesRemoved(state: PrivateChannelState): Decision<PrivateChannelEvent> {
  if (state.status !== 'gone' || !state.hasMessages) return accept()
  return accept({ type: 'GroupMessagesRemoved', data: { channelId: state.channelId } })
}

const notInChannel = (path: string) => field(path, 'USER_NOT_IN_CHANNEL')

const tooMany = (recipients_max: number): Decision<never> =>
  refuseWith('MAX_GROUP_DM_RECIPIENTS', { max_recipients: recipients_max })

function evolve(state: PrivateChannelState, event: PrivateChannelEvent): PrivateChannelState {
  if (event.type === 'GroupCreated') {
    const { channelId, ownerId, recipients } = event.data
    return { status: 'standing', channelId, ownerId, recipients, icon: null, changeId: null }
  }
  if (event.type === 'GroupMessagesRemoved') return state.status === 'gone' ? { ...state, hasMessages: false } : state
  if (state.status !== 'standing') return state
  switch (event.type) {
    case 'GroupRecipientAdded':
    case 'GroupRecipientRemoved':
      return { ...state, recipients: event.data.recipients }
    case 'GroupOwnerChanged':
      return { ...state, ownerId: event.data.ownerId }
    case 'GroupIconChanged':
      return { ...state, icon: event.data.icon }
    case 'GroupRenamed':
    case 'GroupNickChanged':
      return { ...state, changeId: event.data.changeId }
    case 'GroupDeleted':
      return { status: 'gone', channelId: event.data.channelId, hasMessages: true }
  }
}
