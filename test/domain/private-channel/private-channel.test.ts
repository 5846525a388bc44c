import { describe, expect, it } from 'vitest'
import type { PrivateChannelCommand } from '../../../domain/private-channel/commands.ts'
import type { PrivateChannelEvent } from '../../../domain/private-channel/events.ts'
import { mayMessage } from '../../../domain/private-channel/may-message.ts'
import { privateChannel } from '../../../domain/private-channel/private-channel.ts'
import type { AccountId } from '../../../domain/ids/ids.ts'
import { given } from '../../../domain/testing/given-when-then.ts'
import { histories } from '../../../domain/testing/histories.ts'
import { property } from '../../support/property.ts'
import { ada, away, channel, grace, home, linus, moderator, start } from '../../../domain/testing/people.ts'
import { privateChannelCommands, recipients_max } from '../../../domain/testing/commands/private-channel-commands.ts'
import { laws } from '../../support/laws.ts'

laws('privateChannel', privateChannelCommands)

const room = channel(1)
const create = (...others: readonly AccountId[]) =>
  ({ type: 'CreateGroup', channelId: room, ownerId: ada, others, recipients_max, now: start }) as const
const add = (accountId: AccountId, by: AccountId = ada) =>
  ({ type: 'AddRecipient', accountId, by, recipients_max }) as const
const remove = (accountId: AccountId, by: AccountId = ada, lot = 0) =>
  ({ type: 'RemoveRecipient', accountId, by, lot }) as const
const change = (changes: Partial<Extract<PrivateChannelCommand, { type: 'ChangeGroup' }>>) =>
  ({ type: 'ChangeGroup', by: ada, changeId: 'request', ...changes }) as const

const created = (...recipients: readonly AccountId[]): PrivateChannelEvent => ({
  type: 'GroupCreated',
  data: { channelId: room, recipients, ownerId: ada, createdAt: start },
})
const removed = (
  accountId: AccountId,
  recipients: readonly AccountId[],
  removedBy = accountId,
): PrivateChannelEvent => ({
  type: 'GroupRecipientRemoved',
  data: { channelId: room, recipients, accountId, removedBy, wasOwner: accountId === ada },
})
const ownedBy = (ownerId: AccountId, recipients: readonly AccountId[]): PrivateChannelEvent => ({
  type: 'GroupOwnerChanged',
  data: { channelId: room, recipients, ownerId },
})
const full = {
  outcome: 'refused',
  refusal: { code: 'MAX_GROUP_DM_RECIPIENTS', fields: [], details: { max_recipients: 3 } },
}
const decided = (events: readonly PrivateChannelEvent[], command: PrivateChannelCommand) =>
  privateChannel.decide(events.reduce(privateChannel.evolve, privateChannel.initial), command)

describe('a group', () => {
  it('is made with its owner as the first who takes part', () => {
    given(privateChannel, [])
      .when(create(grace, linus))
      .then(created(ada, grace, linus))
  })

  it('has no more recipients than the limit says', () => {
    expect(decided([], create(grace, linus, moderator))).toStrictEqual(full)
    expect(decided([created(ada, grace, linus)], add(moderator))).toStrictEqual(full)
    given(privateChannel, [created(ada, grace, linus)])
      .when(add(linus))
      .changesNothing()
  })

  it('accepts accounts that a recipient adds, and those that come by themselves', () => {
    const added = (addedBy: AccountId): PrivateChannelEvent => ({
      type: 'GroupRecipientAdded',
      data: { channelId: room, recipients: [ada, grace, linus], accountId: linus, addedBy },
    })
    given(privateChannel, [created(ada, grace)])
      .when(add(linus, grace))
      .then(added(grace))
    given(privateChannel, [created(ada, grace)])
      .when(add(linus, linus))
      .then(added(linus))
    given(privateChannel, [created(ada, grace)])
      .when(add(linus, moderator))
      .refuses('MISSING_ACCESS')
    given(privateChannel, []).when(add(linus)).refuses('UNKNOWN_CHANNEL')
  })

  it('is left by oneself, and others are removed by the owner alone', () => {
    const group = [created(ada, grace, linus)]
    given(privateChannel, group)
      .when(remove(grace, grace))
      .then(removed(grace, [ada, linus]))
    given(privateChannel, group)
      .when(remove(grace))
      .then(removed(grace, [ada, linus], ada))
    const silent = { ...remove(grace), silent: true }
    const { events } = decided([created(ada, grace, linus)], silent) as { readonly events: readonly unknown[] }
    expect(events).toMatchObject([{ type: 'GroupRecipientRemoved', data: { accountId: grace, silent: true } }])
    given(privateChannel, group).when(remove(grace, linus)).refuses('MISSING_PERMISSIONS')
    given(privateChannel, group).when(remove(grace, moderator)).refuses('MISSING_ACCESS')
    given(privateChannel, group)
      .when(remove(moderator))
      .refuses('INVALID_FORM_BODY', { path: 'user_id', code: 'USER_NOT_IN_CHANNEL' })
  })

  it('goes to whom the lot names when its owner leaves', () => {
    const group = [created(ada, grace, linus)]
    const left = removed(ada, [grace, linus])
    given(privateChannel, group)
      .when(remove(ada, ada, 0))
      .then(left, ownedBy(grace, [grace, linus]))
    given(privateChannel, group)
      .when(remove(ada, ada, 7))
      .then(left, ownedBy(linus, [grace, linus]))
  })

  it('ends for good when the last one leaves', () => {
    const gone: PrivateChannelEvent = { type: 'GroupDeleted', data: { channelId: room } }
    given(privateChannel, [created(ada)])
      .when(remove(ada))
      .then(removed(ada, []), gone)
    given(privateChannel, [created(ada), removed(ada, []), gone])
      .when(add(grace, grace))
      .refuses('UNKNOWN_CHANNEL')
  })

  it('has its messages removed once it has ended', () => {
    const gone: PrivateChannelEvent = { type: 'GroupDeleted', data: { channelId: room } }
    const emptied: PrivateChannelEvent = { type: 'GroupMessagesRemoved', data: { channelId: room } }
    const note = { type: 'NoteGroupMessagesRemoved' } as const
    given(privateChannel, [created(ada), removed(ada, []), gone])
      .when(note)
      .then(emptied)
    given(privateChannel, [created(ada), removed(ada, []), gone, emptied])
      .when(note)
      .changesNothing()
    given(privateChannel, [created(ada)])
      .when(note)
      .changesNothing()
  })

  it('is named by any recipient, once a request', () => {
    const recipients = [ada, grace]
    const renamed: PrivateChannelEvent = {
      type: 'GroupRenamed',
      data: { channelId: room, recipients, changedBy: grace, changeId: 'request', name: 'Engine room' },
    }
    given(privateChannel, [created(ada, grace)])
      .when(change({ by: grace, name: 'Engine room' }))
      .then(renamed)
    given(privateChannel, [created(ada, grace), renamed])
      .when(change({ by: grace, name: 'Engine room' }))
      .changesNothing()
    given(privateChannel, [created(ada, grace)])
      .when(change({ by: linus, name: 'Mine' }))
      .refuses('MISSING_ACCESS')
  })

  it('has nicks that the owner gives to all, and everybody else to itself', () => {
    const group = [created(ada, grace)]
    const nicked = (accountId: AccountId, changedBy: AccountId): PrivateChannelEvent => ({
      type: 'GroupNickChanged',
      data: { channelId: room, recipients: [ada, grace], changedBy, changeId: 'request', accountId, nick: 'Chief' },
    })
    const call = (accountId: AccountId, by: AccountId) => change({ by, nicks: [{ accountId, nick: 'Chief' }] })
    given(privateChannel, group).when(call(grace, ada)).then(nicked(grace, ada))
    given(privateChannel, group).when(call(grace, grace)).then(nicked(grace, grace))
    given(privateChannel, group).when(call(ada, grace)).refuses('MISSING_PERMISSIONS')
    given(privateChannel, group)
      .when(call(linus, ada))
      .refuses('INVALID_FORM_BODY', { path: `nicks.${linus}`, code: 'USER_NOT_IN_CHANNEL' })
  })

  it('is given by its owner to another recipient', () => {
    const group = [created(ada, grace)]
    given(privateChannel, group)
      .when(change({ ownerId: grace }))
      .then(ownedBy(grace, [ada, grace]))
    given(privateChannel, group)
      .when(change({ ownerId: ada }))
      .changesNothing()
    given(privateChannel, group)
      .when(change({ by: grace, ownerId: grace }))
      .refuses('MISSING_PERMISSIONS')
    given(privateChannel, group)
      .when(change({ ownerId: linus }))
      .refuses('INVALID_FORM_BODY', { path: 'owner_id', code: 'USER_NOT_IN_CHANNEL' })
  })

  const lives = histories(privateChannel, privateChannelCommands)
  property('has an owner who takes part in it, each recipient once, and never too many', lives, ({ steps }) => {
    for (const { after } of steps) {
      if (after.status !== 'standing') continue
      expect(after.recipients).toContain(after.ownerId)
      expect(new Set(after.recipients).size).toBe(after.recipients.length)
      expect(after.recipients.length).toBeLessThanOrEqual(recipients_max)
    }
  })

  property('is never come back to once it is gone', lives, ({ steps }) => {
    for (const { before, after } of steps) if (before.status === 'gone') expect(after.status).toBe('gone')
  })

  property('lets only its recipients change it', lives, ({ steps }) => {
    for (const { before, command, events } of steps) {
      if (before.status !== 'standing' || events.length === 0 || !('by' in command)) continue
      const comesItself = command.type === 'AddRecipient' && command.by === command.accountId
      expect(before.recipients.includes(command.by) || comesItself).toBe(true)
    }
  })
})

describe('a direct message', () => {
  const strangers = { isBlocked: false, areFriends: false, sharedGuilds: [], restrictedGuilds: [] }

  it('is taken from friends, and from who shares a guild that messages are taken from', () => {
    expect(mayMessage(strangers)).toBe(false)
    expect(mayMessage({ ...strangers, areFriends: true })).toBe(true)
    expect(mayMessage({ ...strangers, sharedGuilds: [home] })).toBe(true)
    expect(mayMessage({ ...strangers, sharedGuilds: [home], restrictedGuilds: [home] })).toBe(false)
    expect(mayMessage({ ...strangers, sharedGuilds: [home, away], restrictedGuilds: [home] })).toBe(true)
  })

  it('is never taken where either has blocked the other', () => {
    expect(mayMessage({ ...strangers, isBlocked: true, areFriends: true, sharedGuilds: [home] })).toBe(false)
  })
})
