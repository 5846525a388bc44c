import type { Message } from '../../../application/ports/messages.ts'
import type { FoundThread } from '../../../application/ports/thread-lookups.ts'
import { defaultThreads, type Channel } from '../../../domain/guild/channel.ts'
import { plainChannel } from '../../../domain/guild/layout.ts'
import { channelId, type AccountId, type ChannelId, type RoleId } from '../../../domain/ids/ids.ts'
import { nothingLast } from '../../../domain/messages/channel-last.ts'
import type { DomainEvent } from '../../../domain/kernel/decider.ts'
import { permissionBits } from '../../../domain/permissions/permission-bits.ts'
import type { ThreadMember } from '../../../domain/thread/state.ts'
import { sessionFlags } from '../../../gateway/protocol/identify.ts'
import { chatIn, type Chat } from './chat.ts'
import type { Client, Payload } from './client.ts'
import { joined, rolesChanged, sometime, start } from './facts.ts'
import { openStage, type Account, type Place, type Stage } from './stage.ts'

/**
 * The possible recipients. All except the plain member understand threads. All except the passive one have the guild active. The
 * stranger is not in the guild.
 */
export const everybody = ['owner', 'moderator', 'plain', 'unsighted', 'passive', 'subject', 'bot', 'stranger'] as const
export type Name = (typeof everybody)[number]
type PerName<Value> = Readonly<Record<Name, Value>>

export const threadMember: ThreadMember = { joinedAt: start, flags: 1, muted: false, muteConfig: null }

/** A guild of more than 250 members, with a channel that one of them cannot view, and a session of each. */
export interface Crowd {
  readonly stage: Stage
  readonly home: Place
  /** A guild that everybody is in, and where nothing happens. */
  readonly square: Place
  readonly hidden: Channel
  /** The hidden channel, with a message in it. */
  readonly chat: Chat
  readonly message: Message
  /** The role of the moderator and the passive member: VIEW_AUDIT_LOG and MANAGE_CHANNELS. */
  readonly role: RoleId
  readonly ids: PerName<AccountId>
  readonly clients: PerName<Client>
  /** Publishes an event of the guild. */
  happens(type: string, data: object): void
  /** Publishes an event of a thread in the hidden channel that the subject has joined. */
  happensInThread(type: string, data: object): void
  /** Creates another channel like the hidden one. */
  makeChannel(): void
  /** Signals that the subject writes in the hidden channel, or in a thread there. */
  types(where?: 'in a thread'): void
  /** Pins the message in the hidden channel. */
  pins(): Promise<unknown>
  newChannelId(): ChannelId
  /** Somebody else who joins the guild, and is in no other. */
  newMember(): AccountId
  /** What each session got since the last call. */
  heard(): Promise<PerName<readonly Payload[]>>
}

export async function openCrowd(): Promise<Crowd> {
  const stage = await openStage()
  const people = await forAll((name) => stage.account({ bot: name === 'bot' }))
  const ids = await forAll((name) => people[name].id)
  const home = stage.found(people.owner, { extras: 300, everyone: ['READ_MESSAGE_HISTORY'] })
  const square = stage.found(stage.account())
  const role = stage.role(home, 'VIEW_AUDIT_LOG', 'MANAGE_CHANNELS')
  for (const name of everybody) {
    stage.happen(joined(square.id, ids[name]))
    if (name !== 'stranger' && name !== 'owner') stage.happen(joined(home.id, ids[name]))
  }
  for (const name of ['moderator', 'passive'] as const) stage.happen(rolesChanged(home.id, ids[name], role))
  const newChannelId = (): ChannelId => channelId(stage.newId())
  const hidden = hiddenFrom(ids.unsighted, newChannelId())
  const happens = happensIn(stage, home)
  happens('ChannelCreated', { channel: hidden, founding: false })
  const chat = chatIn(stage, home, { channelId: hidden.id })
  const message = await chat.post(people.owner)
  const clients = await forAll((name) => identify(stage, people[name], name, home))
  const made = { stage, home, square, hidden, chat, message, role, ids, clients, happens, newChannelId }
  return {
    ...made,
    happensInThread(type, data) {
      const found = threadIn(hidden.id, home, newChannelId(), ids.subject)
      stage.models.threads.set(found.thread.threadId, found)
      happens(type, { ...found.thread, ...data })
    },
    makeChannel: () => {
      happens('ChannelCreated', { channel: { ...hidden, id: newChannelId() }, founding: false })
    },
    pins: () => stage.messages.messages.pin({ messageId: message.id, pinnedAt: sometime, audience: chat.audience }),
    types: (where) => {
      const inThread = { channelId: newChannelId(), channelType: 11, parentId: hidden.id }
      const place = where === undefined ? { channelId: hidden.id } : inThread
      stage.typists.type(ids.subject, { guildId: home.id, ...place })
    },
    newMember: () => {
      const { id } = stage.account()
      stage.happen(joined(home.id, id))
      return id
    },
    heard: () => heardIn(stage, square, clients),
  }
}

async function forAll<Value>(make: (name: Name) => Value | Promise<Value>): Promise<Record<Name, Value>> {
  const made: [Name, Value][] = []
  for (const name of everybody) made.push([name, await make(name)])
  return Object.fromEntries(made) as Record<Name, Value>
}

function identify(stage: Stage, account: Account, name: Name, home: Place): Promise<Client> {
  const flags = name === 'plain' ? 0 : sessionFlags.CHANNEL_THREADS
  return stage.identify(account, { flags, ...(name === 'passive' ? {} : { initial_guild_id: home.id }) })
}

function happensIn(stage: Stage, home: Place) {
  return (type: string, data: object): void => {
    stage.happen({ type, data: { guildId: home.id, ...data } } as DomainEvent)
  }
}

function hiddenFrom(account: AccountId, id: ChannelId): Channel {
  const overwrites = [{ id: account, type: 1, allow: '0', deny: `${permissionBits.VIEW_CHANNEL}` }] as const
  return { ...plainChannel, id, type: 0, name: 'hidden', position: 9, threads: defaultThreads, overwrites }
}

function threadIn(parentId: ChannelId, home: Place, threadId: ChannelId, member: AccountId): FoundThread {
  const place = { threadId, guildId: home.id, parentId, threadType: 11 } as const
  const settings = { name: 'talk', archived: false, locked: false, autoArchiveDuration: 4320 } as const
  const more = { rateLimitPerUser: 0, invitable: null, flags: 0, appliedTags: [] }
  const origin = { ownerId: home.owner.id, starterId: null, createdAt: start, archivedAt: start }
  return {
    thread: { ...place, ...settings, ...more, ...origin, memberCount: 1 },
    tally: { last: nothingLast, message_count: 0, sent_count: 0 },
    members: new Map([[member, { ...threadMember, threadId, accountId: member }]]),
  }
}

/** Reads up to a message that reaches everybody: it comes after everything that happened before it. */
async function heardIn(stage: Stage, square: Place, clients: PerName<Client>): Promise<PerName<readonly Payload[]>> {
  await stage.handled()
  const { id } = await chatIn(stage, square).post(square.owner, { mentionsEveryone: true })
  const isLast = ({ t, d }: Payload): boolean => t === 'MESSAGE_CREATE' && d['id'] === id
  return forAll(async (name) => (await clients[name].until(isLast, 'the last message')).slice(0, -1))
}
