import type { Payload } from '../../gateway/support/client.ts'
import { messagesPath } from '../../operations/support/messages.ts'

/** A dispatch about something that happened. */
export interface Fact {
  readonly t: string
  readonly channel: string | undefined
  /** What it is compared by. */
  readonly text: string
  /** Whom HTTP shows what is there hears of the fact. Undefined for what concerns one account alone. */
  readonly path: string | undefined
}

/** Whether who views a channel hears of it, also without its history. */
const ofTheChannel = ['MESSAGE_CREATE', 'CHANNEL_PINS_UPDATE', 'TYPING_START', 'WEBHOOKS_UPDATE']
const ofTheMessage = ['MESSAGE_UPDATE', 'MESSAGE_DELETE', 'MESSAGE_REACTION_ADD', 'MESSAGE_REACTION_REMOVE']
const ofTheAccount = ['MESSAGE_ACK', 'CHANNEL_PINS_ACK']
const ofTheGuild: Readonly<Record<string, string>> = {
  GUILD_EMOJIS_UPDATE: 'emojis',
  GUILD_STICKERS_UPDATE: 'stickers',
}

/** The fact in a dispatch, if it has one. */
export function factIn({ t, d }: Payload): Fact | undefined {
  if (t === undefined) return undefined
  const list = ofTheGuild[t]
  if (list !== undefined) {
    const guild = String(d['guild_id'])
    return { t, channel: undefined, text: `${t} ${guild}`, path: `/v1/guilds/${guild}/${list}` }
  }
  if (![...ofTheChannel, ...ofTheMessage, ...ofTheAccount].includes(t)) return undefined
  const message = (d['message_id'] ?? d['id']) as string | undefined
  const channel = String(d['channel_id'])
  return { t, channel, text: textOf(t, channel, message), path: pathOf(t, channel, message) }
}

/** What a fact about a channel, or a message in it, is compared by. */
export const textOf = (t: string, channel: string, message = ''): string => `${t} ${channel} ${message}`

function pathOf(t: string, channel: string, message: string | undefined): string | undefined {
  if (ofTheAccount.includes(t)) return undefined
  return ofTheChannel.includes(t) || message === undefined ? `/v1/channels/${channel}` : messagesPath(channel, message)
}

/** Whether a dispatch is the message that ends a step. */
export const isMark = ({ t, d }: Payload, mark: string): boolean => t === 'MESSAGE_CREATE' && d['content'] === mark
