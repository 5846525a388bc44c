import { has } from '../../../../domain/guild/channel.ts'
import type { ChannelId } from '../../../../domain/ids/ids.ts'
import type { MemberJoined } from '../../../../domain/membership/events.ts'
import type { PrivateChannelEvent } from '../../../../domain/private-channel/events.ts'
import type { ThreadEvent, ThreadStarted } from '../../../../domain/thread/events.ts'
import { threadTypes } from '../../../../domain/thread/state.ts'
import { privateChannelTypes } from '../../../access/private-channel-access.ts'
import type { Actor, RecordedEvent } from '../../../ports/event-store.ts'
import type { MessageAudience } from '../../../ports/messages.ts'
import type { Ports } from '../../../ports.ts'
import { threadPlace } from '../guild-places.ts'
import { postJoinMessage } from './post-join-message.ts'
import { postSystemMessage, type SystemMessage } from './post-system-message.ts'
import { added, iconChanged, removed, renamed, threadStarted } from './said.ts'

type Needs = Pick<Ports, 'queries' | 'messages' | 'readModels'>

/** The events of groups and threads that have a system message. */
const toldTypes = [
  'GroupCreated',
  'GroupRecipientAdded',
  'GroupRecipientRemoved',
  'GroupRenamed',
  'GroupIconChanged',
  'ThreadStarted',
  'ThreadMemberAdded',
  'ThreadMemberRemoved',
  'ThreadChanged',
] as const
type Told = Extract<PrivateChannelEvent | ThreadEvent, { readonly type: (typeof toldTypes)[number] }>

const told: readonly string[] = [...toldTypes, 'MemberJoined']

export function raisesSystemMessages({ type }: Pick<RecordedEvent, 'type'>): boolean {
  return told.includes(type)
}

/** Events with different places have messages whose order among each other matters to nobody. */
export function placeOfSystemMessages({ type, data }: RecordedEvent): string {
  return type === 'MemberJoined' ? (data as MemberJoined).guildId : 'groups and threads'
}

/**
 * Posts the system messages of an event: of a join always; of groups and threads, those that the event's process did
 * not post because it died first. Each is posted once, and none in a deleted place. Safe to repeat. See
 * rules/messages#system-messages.
 */
export function postMissedMessages(ports: Needs) {
  return async (event: RecordedEvent): Promise<void> => {
    const { type, data, metadata, position } = event
    // The type of an event determines its data.
    if (type === 'MemberJoined') return postJoinMessage(ports, { ...event, data: data as MemberJoined })
    const { place, said } = sayingOf({ type, data } as Told, metadata.actor)
    if (said.length === 0) return
    await ports.readModels.reached(position)
    const found = await place(ports)
    if (!found) return
    for (const each of said) await postSystemMessage(ports, { ...found, after: position }, each, metadata.at)
  }
}

interface Saying {
  /** Undefined if the place was deleted. */
  readonly place: (ports: Needs) => Promise<MessageAudience | undefined>
  readonly said: readonly SystemMessage[]
}

/** The table of events: the system messages of each, and their place. */
function sayingOf({ type, data }: Told, actor: Actor): Saying {
  switch (type) {
    case 'GroupCreated': {
      const others = data.recipients.filter((id) => id !== data.ownerId)
      return { place: group(data.channelId), said: others.map((id) => added(data.ownerId, id)) }
    }
    case 'GroupRecipientAdded':
      return { place: group(data.channelId), said: [added(data.addedBy, data.accountId)] }
    case 'GroupRecipientRemoved':
      return { place: group(data.channelId), said: data.silent ? [] : [removed(data.removedBy, data.accountId)] }
    case 'GroupRenamed':
      return { place: group(data.channelId), said: [renamed(data.changedBy, data.name)] }
    case 'GroupIconChanged':
      return { place: group(data.channelId), said: [iconChanged(data.changedBy, data.icon)] }
    case 'ThreadStarted': {
      const isTold = data.starterId === null && data.threadType !== threadTypes.private
      return { place: parentOf(data), said: isTold ? [threadStarted(data)] : [] }
    }
    // No message for accounts that join or leave by themselves, or that have left the guild.
    case 'ThreadMemberAdded': {
      const { accountId, addedBy } = data
      return { place: thread(data.threadId), said: addedBy === accountId ? [] : [added(addedBy, accountId)] }
    }
    case 'ThreadMemberRemoved': {
      const { accountId, removedBy } = data
      const isTold = removedBy !== null && removedBy !== accountId
      return { place: thread(data.threadId), said: isTold ? [removed(removedBy, accountId)] : [] }
    }
    case 'ThreadChanged': {
      const { name } = data.after
      const isTold = name !== undefined && data.because === 'asked' && actor.kind === 'account'
      return { place: thread(data.threadId), said: isTold ? [renamed(actor.id, name)] : [] }
    }
  }
}

const group =
  (channelId: ChannelId): Saying['place'] =>
  async ({ queries }) => {
    const found = await queries.privateChannels.find(channelId)
    if (!found) return undefined
    const { recipients } = found
    return { channelId, channelType: privateChannelTypes.group, guildId: null, parentId: null, recipients }
  }

const thread =
  (threadId: ChannelId): Saying['place'] =>
  async (ports) => {
    const found = await ports.queries.threads.find(threadId)
    return found && threadPlace(ports, found)
  }

/** The channel of a thread; undefined if the channel holds no messages: a forum shows its posts themselves. */
const parentOf =
  ({ threadId, guildId, parentId: channelId }: ThreadStarted): Saying['place'] =>
  async ({ queries }) => {
    const guild = (await queries.threads.find(threadId)) && (await queries.guilds.find(guildId))
    const channel = guild?.channels.find(({ id }) => id === channelId)
    if (!channel || !has(channel.type, 'messages')) return undefined
    return { channelId, channelType: channel.type, guildId, parentId: null, recipients: null }
  }
