import { describe, expect, it } from 'vitest'
import type { ThreadEvent, ThreadStarted } from '../../../domain/thread/events.ts'
import {
  threadMembers_max,
  threadTypes,
  type ThreadMember,
  type ThreadSettings,
  type ThreadState,
} from '../../../domain/thread/state.ts'
import { thread } from '../../../domain/thread/thread.ts'
import type { AccountId } from '../../../domain/ids/ids.ts'
import { secondsAfter, type Timestamp } from '../../../domain/kernel/timestamp.ts'
import { given } from '../../../domain/testing/given-when-then.ts'
import { histories } from '../../../domain/testing/histories.ts'
import { property } from '../../support/property.ts'
import { account, ada, general, grace, home, linus, start } from '../../../domain/testing/people.ts'
import { chatter, threadCommands } from '../../../domain/testing/commands/thread-commands.ts'
import { laws } from '../../support/laws.ts'

laws('thread', threadCommands)

const place = { threadId: chatter, guildId: home, parentId: general, threadType: threadTypes.public }
const terms: ThreadStarted = {
  ...place,
  ownerId: ada,
  starterId: null,
  name: 'Chatter',
  autoArchiveDuration: 60,
  rateLimitPerUser: 0,
  invitable: null,
  flags: 0,
  appliedTags: [],
  createdAt: start,
}
const joinedAt = (at: Timestamp, flags = 0): ThreadMember => ({ joinedAt: at, flags, muted: false, muteConfig: null })
const later = secondsAfter(start, 60)
const anHourOn = secondsAfter(start, 3600)

const started = (changes: Partial<ThreadStarted> = {}): ThreadEvent => ({
  type: 'ThreadStarted',
  data: { ...terms, ...changes },
})
const added = (accountId: AccountId, memberCount: number, changes: object = {}): ThreadEvent => ({
  type: 'ThreadMemberAdded',
  data: { ...place, accountId, addedBy: accountId, member: joinedAt(later), memberCount, ...changes },
})
const begun = (changes: Partial<ThreadStarted> = {}): readonly ThreadEvent[] => [
  started(changes),
  added(ada, 1, { ...(changes.threadType ? { threadType: changes.threadType } : {}), member: joinedAt(start, 1) }),
]
const changed = (
  after: Partial<ThreadSettings>,
  before: Partial<ThreadSettings>,
  because: 'asked' | 'message' | 'inactivity' = 'asked',
  changedAt = later,
): ThreadEvent => ({ type: 'ThreadChanged', data: { ...place, before, after, because, changedAt } })
const archived = changed({ archived: true }, { archived: false })
const locked = changed({ locked: true }, { locked: false })

const change = (changes: Partial<ThreadSettings>, asModerator = false) =>
  ({ type: 'ChangeThread', asModerator, changes, now: later }) as const
const write = (by = grace, asModerator = false) => ({ type: 'TakeMessage', by, asModerator, now: later }) as const
const add = (accountId = grace, by = accountId, asModerator = false) =>
  ({ type: 'AddThreadMember', accountId, by, asModerator, now: later }) as const
const remove = (accountId = grace, by = accountId) => ({ type: 'RemoveThreadMember', accountId, by }) as const

describe('starting a thread', () => {
  it('makes its owner its first member', () => {
    given(thread, [])
      .when({ type: 'StartThread', thread: terms })
      .then(started(), added(ada, 1, { member: joinedAt(start, 1) }))
  })

  it('is done once for a message, also once the thread is deleted', () => {
    const again = { type: 'StartThread', thread: { ...terms, ownerId: grace } } as const
    given(thread, begun()).when({ type: 'StartThread', thread: terms }).changesNothing()
    given(thread, begun()).when(again).refuses('THREAD_ALREADY_CREATED_FOR_MESSAGE')
    const settings = { name: 'Chatter', archived: false, locked: false, autoArchiveDuration: 60 } as ThreadSettings
    const gone: ThreadEvent = { type: 'ThreadDeleted', data: { ...place, because: 'asked', settings, memberIds: [] } }
    given(thread, [...begun(), gone])
      .when(again)
      .refuses('THREAD_ALREADY_CREATED_FOR_MESSAGE')
  })
})

describe('changing a thread', () => {
  it('says what differs, as it was and as it is', () => {
    given(thread, begun())
      .when(change({ name: 'Plans', archived: false }))
      .then(changed({ name: 'Plans' }, { name: 'Chatter' }))
    given(thread, begun())
      .when(change({ name: 'Chatter' }))
      .changesNothing()
  })

  it('is refused in the archive, unless it brings the thread back', () => {
    given(thread, [...begun(), archived])
      .when(change({ name: 'Plans' }))
      .refuses('THREAD_ARCHIVED')
    given(thread, [...begun(), archived])
      .when(change({ name: 'Plans', archived: false }))
      .then(changed({ name: 'Plans', archived: false }, { name: 'Chatter', archived: true }))
  })

  it('of a locked one is left to moderators', () => {
    given(thread, [...begun(), locked])
      .when(change({ name: 'Plans' }))
      .refuses('THREAD_LOCKED')
    given(thread, [...begun(), locked])
      .when(change({ locked: false }, true))
      .then(changed({ locked: false }, { locked: true }))
  })
})

describe('a message', () => {
  it('makes its author a member', () => {
    given(thread, begun())
      .when(write())
      .then(added(grace, 2, { member: joinedAt(later, 1) }))
    given(thread, begun()).when(write(ada)).changesNothing()
  })

  it('marks a member that never wrote before', () => {
    given(thread, [...begun(), added(grace, 2)])
      .when(write())
      .then({ type: 'ThreadMemberSettingsChanged', data: { ...place, accountId: grace, changes: { flags: 1 } } })
  })

  it('brings an archived thread back that is not locked', () => {
    given(thread, [...begun(), archived])
      .when(write(ada))
      .then(changed({ archived: false }, { archived: true }, 'message'))
    given(thread, [...begun(), locked, archived])
      .when(write(ada, true))
      .refuses('THREAD_ARCHIVED')
  })

  it('goes into a locked thread from moderators alone', () => {
    given(thread, [...begun(), locked])
      .when(write())
      .refuses('THREAD_LOCKED')
    given(thread, [...begun(), locked])
      .when(write(grace, true))
      .then(added(grace, 2, { member: joinedAt(later, 1) }))
  })
})

describe('an idle thread', () => {
  const archive = (now: Timestamp, lastMessageAt: Timestamp | null = null) =>
    ({ type: 'ArchiveIdleThread', lastMessageAt, now }) as const

  it('archives itself when nobody wrote for as long as it says', () => {
    given(thread, begun())
      .when(archive(secondsAfter(start, 3599)))
      .changesNothing()
    given(thread, begun())
      .when(archive(anHourOn))
      .then(changed({ archived: true }, { archived: false }, 'inactivity', anHourOn))
  })

  it('counts from its last message, and from when it was brought back', () => {
    given(thread, begun()).when(archive(anHourOn, later)).changesNothing()
    const back = changed({ archived: false }, { archived: true })
    given(thread, [...begun(), archived, back])
      .when(archive(anHourOn))
      .changesNothing()
  })
})

describe('members', () => {
  it('come once, and not into the archive', () => {
    given(thread, begun()).when(add()).then(added(grace, 2))
    given(thread, [...begun(), added(grace, 2)])
      .when(add())
      .changesNothing()
    given(thread, [...begun(), archived])
      .when(add())
      .refuses('THREAD_ARCHIVED')
  })

  it('come into a locked thread by moderators alone, also who is there already', () => {
    for (const who of [grace, ada])
      given(thread, [...begun(), locked])
        .when(add(who, ada))
        .refuses('THREAD_LOCKED')
    given(thread, [...begun(), locked])
      .when(add(grace, linus, true))
      .then(added(grace, 2, { addedBy: linus }))
  })

  it('are at most 1000', () => {
    const crowd = Array.from({ length: threadMembers_max - 1 }, (_, index) => added(account(100 + index), index + 2))
    given(thread, [...begun(), ...crowd])
      .when(add())
      .refuses('MAX_THREAD_MEMBERS')
    given(thread, [...begun(), ...crowd])
      .when(write())
      .changesNothing()
    given(thread, [...begun(), ...crowd.slice(1)])
      .when(add())
      .then(added(grace, threadMembers_max))
  })

  it('of a private thread that is not invitable are let in by its owner and moderators', () => {
    const secret = begun({ threadType: threadTypes.private, invitable: false })
    const seen = { threadType: threadTypes.private }
    given(thread, secret).when(add(linus, grace)).refuses('MISSING_PERMISSIONS')
    given(thread, secret)
      .when(add(linus, ada))
      .then(added(linus, 2, { ...seen, addedBy: ada }))
    given(thread, secret)
      .when(add(linus, grace, true))
      .then(added(linus, 2, { ...seen, addedBy: grace }))
  })

  it('leave, also from the archive, and are removed by others', () => {
    const gone = (removedBy: AccountId | null): ThreadEvent => ({
      type: 'ThreadMemberRemoved',
      data: { ...place, accountId: grace, removedBy, memberCount: 1 },
    })
    const both = [...begun(), added(grace, 2)]
    given(thread, [...both, archived])
      .when(remove())
      .then(gone(grace))
    given(thread, [...both, archived])
      .when(remove(grace, ada))
      .refuses('THREAD_ARCHIVED')
    given(thread, both).when(remove(grace, ada)).then(gone(ada))
    given(thread, begun()).when(remove()).refuses('UNKNOWN_THREAD_MEMBER')
  })

  it('go with their membership of the guild, unless they joined again since', () => {
    const end = (joinedAt: Timestamp) => ({ type: 'EndThreadMembership', accountId: grace, joinedAt }) as const
    const both = [...begun(), added(grace, 2)]
    given(thread, both)
      .when(end(later))
      .then({ type: 'ThreadMemberRemoved', data: { ...place, accountId: grace, removedBy: null, memberCount: 1 } })
    given(thread, both).when(end(start)).changesNothing()
    given(thread, []).when(end(later)).changesNothing()
  })

  it('choose what they hear, and keep that they have written', () => {
    const choose = { type: 'ChangeThreadMemberSettings', accountId: ada, changes: { flags: 4, muted: true } } as const
    given(thread, begun())
      .when(choose)
      .then({
        type: 'ThreadMemberSettingsChanged',
        data: { ...place, accountId: ada, changes: { flags: 5, muted: true } },
      })
    given(thread, begun())
      .when({ ...choose, accountId: grace })
      .refuses('UNKNOWN_THREAD_MEMBER')
  })
})

describe('whatever happens to a thread', () => {
  const lives = histories(thread, threadCommands)
  const membersOf = (state: ThreadState): readonly string[] =>
    state.status === 'open' ? Object.keys(state.members) : []

  property('nobody comes while it is archived', lives, ({ steps }) => {
    for (const { before, events } of steps) {
      const isArchived = before.status === 'open' && before.archived
      const comesBack = events.some(({ type, data }) => type === 'ThreadChanged' && data.after.archived === false)
      if (isArchived && !comesBack) expect(events.map(({ type }) => type)).not.toContain('ThreadMemberAdded')
    }
  })

  property('every event of a member says how many there are then', lives, ({ steps }) => {
    for (const { events, after } of steps)
      for (const { type, data } of events)
        if (type === 'ThreadMemberAdded' || type === 'ThreadMemberRemoved')
          expect(data.memberCount).toBe(membersOf(after).length)
  })

  property('what a change says that was, was', lives, ({ steps }) => {
    for (const { before, events } of steps)
      for (const { type, data } of events) if (type === 'ThreadChanged') expect(before).toMatchObject(data.before)
  })

  property('nothing comes after its deletion', lives, ({ events }) => {
    const deletion = events.findIndex(({ type }) => type === 'ThreadDeleted')
    expect(deletion === -1 || deletion === events.length - 1).toBe(true)
  })
})
