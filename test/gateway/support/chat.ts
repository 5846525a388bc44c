import type { Message, Posting, MessageAudience } from '../../../application/ports/messages.ts'
import { messageTypes } from '../../../domain/messages/message-types.ts'
import { messageId, type AccountId, type ChannelId } from '../../../domain/ids/ids.ts'
import { permissionBits, type PermissionName } from '../../../domain/permissions/permission-bits.ts'
import type { Client, Payload } from './client.ts'
import type { Account, Place, Stage } from './stage.ts'
import { noParts } from '../../../domain/messages/parts.ts'

/** A channel whose messages a stage announces. */
export interface Chat {
  readonly audience: MessageAudience
  /** Posts a message of an account, as it is allowed now; returns it. */
  post(author: Account, more?: Partial<Message>, nonce?: string): Promise<Message>
  edit(message: Message, changes: Partial<Pick<Message, 'content'>>): Promise<void>
  remove(messages: readonly Message[], bulk?: boolean): Promise<void>
}

/** The general channel of a guild, or another place. */
export function chatIn(stage: Stage, place: Place, more: Partial<MessageAudience> = {}): Chat {
  const plain = { channelId: place.general, channelType: 0, guildId: place.id, parentId: null, recipients: null }
  const now = (): MessageAudience => ({ ...plain, after: stage.models.position, ...more })
  const { messages } = stage.messages
  return {
    get audience() {
      return now()
    },
    async post(author, changes = {}, nonce) {
      const message = { ...plainMessage(stage, author.id, now()), ...changes }
      const posting: Posting = { message, audience: now(), ...(nonce === undefined ? {} : { nonce }) }
      await messages.post(posting)
      return message
    },
    async edit(message, changes) {
      await messages.edit(message.id, changes, now())
    },
    async remove(gone, bulk = false) {
      await messages.remove(
        gone.map(({ id }) => id),
        { ...now(), bulk },
      )
    },
  }
}

function plainMessage(stage: Stage, author: AccountId, { channelId, guildId }: MessageAudience): Message {
  return {
    id: messageId(stage.newId()),
    channelId,
    guildId,
    authorId: author,
    type: messageTypes.default,
    flags: 0,
    content: 'hello',
    editedAt: null,
    tts: false,
    mentionsEveryone: false,
    mentionsHere: false,
    mentions: [],
    mentionRoles: [],
    reference: null,
    ...noParts,
  }
}

/** Denies permissions to everyone in a channel. */
export function deny(stage: Stage, place: Place, channel: ChannelId, ...names: readonly PermissionName[]): void {
  const mask = names.reduce((bits, name) => bits | permissionBits[name], 0n).toString()
  const after = [{ id: place.id, type: 0 as const, allow: '0', deny: mask }]
  const data = { guildId: place.id, channelId: channel, before: [], after, synced: [] }
  stage.happen({ type: 'ChannelOverwritesChanged', data })
}

/** What clients heard of messages, up to one that all of them hear: each as its name and its subject. */
export async function heardOfMessages(
  stage: Stage,
  place: Place,
  author: Account,
  ...clients: readonly Client[]
): Promise<readonly (readonly string[])[]> {
  // Notices are sent in one order: a client that has this one has all earlier ones. No test hides the general channel.
  const last = await chatIn(stage, place, { channelId: place.general }).post(author, {
    mentionsEveryone: true,
    content: 'the last',
  })
  return Promise.all(
    clients.map(async (client) => {
      const payloads = await client.until(({ t, d }) => t === 'MESSAGE_CREATE' && d['id'] === last.id, 'last message')
      return payloads.slice(0, -1).flatMap((payload) => toldOf(payload))
    }),
  )
}

const toldOf = ({ t = '', d }: Payload): readonly string[] =>
  t.startsWith('MESSAGE_') ? [`${t.replace('MESSAGE_', '')} ${String(d['content'] ?? d['id'] ?? d['ids'])}`] : []
