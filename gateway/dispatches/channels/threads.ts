import { memberObject } from '../../../application/wire-objects/communities/member-objects.ts'
import {
  ownThreadMemberObject,
  threadMemberObject,
  threadObject,
} from '../../../application/wire-objects/conversations/thread-objects.ts'
import type { FoundThread } from '../../../application/ports/thread-lookups.ts'
import type { AccountId } from '../../../domain/ids/ids.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { ThreadPlace } from '../../../domain/thread/state.ts'
import type { Known, ThreadFact } from '../../visibility/known-event.ts'
import { keepThread, threadViewers } from '../../visibility/threads.ts'
import { perAccount, same, type Audience, type Body, type Dispatch } from '../dispatch.ts'
import type { DispatchName } from '../../protocol/dispatch-names.ts'
import { preparing, type Preparation, type Tell, type Telling } from '../telling.ts'

/** `member_count` says at most this. */
const countedMembers_max = 50

/**
 * A thread was started: THREAD_CREATE to all who can view it except its owner. The owner joins by the next event and is
 * notified then, with the membership: the read models may hold this event without that one.
 */
export function threadStarted(event: Known<'ThreadStarted'>): Telling {
  const { data } = event
  return ofThread(['THREAD_CREATE'], event, (found) => ({ now }) => {
    if (!found) return []
    const audience = viewers(data, new Set(found.members.keys()), now, { except: data.ownerId })
    return [told('THREAD_CREATE', data, audience, same(threadObject(found)))]
  })
}

/**
 * A thread changed: THREAD_UPDATE to all who can view it, with the own membership for its members. An unarchived thread
 * may be new to a session, and its members must know it then as after a new READY.
 */
export function threadChanged(event: Known<'ThreadChanged'>): Telling {
  const { data } = event
  return ofThread(['THREAD_UPDATE'], event, (found) => ({ now }) => {
    if (!found) return []
    const joined = new Set(found.members.keys())
    const body = perAccount(threadObject(found), (viewer) => {
      const member = found.members.get(viewer)
      return member && threadObject({ ...found, member, viewer })
    })
    return [told('THREAD_UPDATE', data, viewers(data, joined, now), body)]
  })
}

/** A thread was deleted: THREAD_DELETE to all who could view it. If its channel was deleted, that was dispatched before. */
export function threadDeleted(event: Known<'ThreadDeleted'>): Telling {
  const { data } = event
  const body = same(threadGone(data))
  return ofThread(['THREAD_DELETE'], event, () => ({ now }) => [
    told('THREAD_DELETE', data, viewers(data, new Set(data.memberIds), now), body),
  ])
}

/**
 * An account joined: THREAD_CREATE to it, then THREAD_MEMBERS_UPDATE to all who can view the thread. The owner's joining is part
 * of the start, which was dispatched already.
 */
export function threadMemberAdded(event: Known<'ThreadMemberAdded'>): Telling {
  const { data } = event
  const { threadId, guildId, accountId, member } = data
  const tell = async (
    found: FoundThread | undefined,
    { lookups, account }: Preparation,
  ): Promise<Tell<'THREAD_CREATE' | 'THREAD_MEMBERS_UPDATE'>> => {
    if (!found) return () => []
    const isOwner = found.thread.ownerId === accountId && found.thread.createdAt === member.joinedAt
    if (isOwner) return ({ now }) => [created(data, found, accountId, now)]
    const guildMember = await lookups.ask(({ members }) => members.find(guildId, accountId))
    return ({ now }) => {
      const shown = guildMember && memberObject(guildMember, account(accountId), now)
      const added = [threadMemberObject({ threadId, accountId, member, guildMember: shown })]
      return [created(data, found, accountId, now), membersUpdated(data, found, { added_members: added }, now)]
    }
  }
  return { ...ofThread(['THREAD_CREATE', 'THREAD_MEMBERS_UPDATE'], event, tell), accounts: [accountId] }
}

/** An account left, was removed, or left the guild: THREAD_MEMBERS_UPDATE, also to that account. */
export function threadMemberRemoved(event: Known<'ThreadMemberRemoved'>): Telling {
  const { data } = event
  return ofThread(['THREAD_MEMBERS_UPDATE'], event, (found) => ({ now }) => [
    membersUpdated(data, found, { removed_member_ids: [data.accountId] }, now),
  ])
}

/** A member changed its notification settings: THREAD_MEMBER_UPDATE to its own sessions. */
export function threadMemberSettingsChanged(event: Known<'ThreadMemberSettingsChanged'>): Telling {
  const { data } = event
  const { threadId, guildId, accountId } = data
  return ofThread(['THREAD_MEMBER_UPDATE'], event, (found) => ({ now }) => {
    const member = found?.members.get(accountId)
    if (!member) return []
    const body = same({ ...ownThreadMemberObject({ threadId, accountId, member }), guild_id: guildId })
    const audience = viewers(data, new Set([accountId]), now, { about: accountId, alone: accountId })
    return [told('THREAD_MEMBER_UPDATE', data, audience, body)]
  })
}

/** Looks up the thread as it is now, or undefined where it is gone. Links know it before anybody is told. */
function ofThread<const Name extends DispatchName>(
  raises: readonly Name[],
  event: Known<ThreadFact['type']>,
  tellOf: (
    found: FoundThread | undefined,
    preparation: Preparation,
  ) => Promise<Tell<NoInfer<Name>>> | Tell<NoInfer<Name>>,
): Telling {
  return preparing<Name>(raises, {
    prepare: async (preparation) => {
      const found = await preparation.lookups.ask(({ threads }) => threads.find(event.data.threadId))
      const tell = await tellOf(found, preparation)
      return (scene) => {
        if (scene.room) keepThread(scene.room, event, found)
        return tell(scene)
      }
    },
  })
}

/** The body of THREAD_DELETE. */
export function threadGone({ threadId, guildId, parentId, threadType }: ThreadPlace) {
  return { id: threadId, guild_id: guildId, parent_id: parentId, type: threadType }
}

/** THREAD_CREATE to one account, with its membership. */
function created(
  place: ThreadPlace,
  found: FoundThread,
  accountId: AccountId,
  now: Timestamp,
): Dispatch<'THREAD_CREATE'> {
  const member = found.members.get(accountId)
  const audience = viewers(place, new Set([accountId]), now, { about: accountId, alone: accountId })
  return told('THREAD_CREATE', place, audience, same(threadObject({ ...found, member, viewer: accountId })))
}

/** `accountId` gets it whether or not it can still view the thread. */
function membersUpdated(
  data: ThreadPlace & { readonly accountId: AccountId; readonly memberCount: number },
  found: FoundThread | undefined,
  change: { readonly added_members: readonly object[] } | { readonly removed_member_ids: readonly AccountId[] },
  now: Timestamp,
): Dispatch<'THREAD_MEMBERS_UPDATE'> {
  const { threadId, guildId, accountId, memberCount } = data
  const joined = new Set([...(found?.members.keys() ?? []), accountId])
  const body = { id: threadId, guild_id: guildId, member_count: Math.min(memberCount, countedMembers_max), ...change }
  const audience = viewers(data, joined, now, { about: accountId, evenUnseen: true })
  return told('THREAD_MEMBERS_UPDATE', data, audience, same(body))
}

interface ViewerWishes {
  /** Gets no dispatch. */
  readonly except?: AccountId
  /** The event's own account, which is notified while passive. */
  readonly about?: AccountId
  /** Whether that account is notified even if it cannot view the thread. */
  readonly evenUnseen?: boolean
  /** Only this account is notified. */
  readonly alone?: AccountId
}

/**
 * The guild's sessions that can view a thread with these members. Nobody is notified about a thread whose channel was deleted:
 * CHANNEL_DELETE has removed it from clients, and a later event must not bring it back (docs/decisions, Deletes that meet
 * creations).
 */
function viewers(
  place: ThreadPlace,
  joined: ReadonlySet<AccountId>,
  now: Timestamp,
  { alone, evenUnseen = false, ...rest }: ViewerWishes = {},
): Audience {
  const views = threadViewers(place, joined, now)
  return {
    kind: 'guild',
    ...rest,
    needs: ({ channels }) => channels.some(({ id }) => id === place.parentId),
    admits: (link) => {
      const { accountId } = link.member
      if (alone !== undefined && accountId !== alone) return false
      return views(link) || (evenUnseen && accountId === rest.about)
    },
  }
}

function told<Name extends DispatchName>(
  t: Name,
  { guildId }: ThreadPlace,
  audience: Audience,
  body: Body,
): Dispatch<Name> {
  return { t, guildId, audience, threadAccessOnly: true, body }
}
