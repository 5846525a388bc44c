import { z } from 'zod'
import type { Payload } from '../../gateway/support/client.ts'
import { messagesPath } from '../../operations/support/messages.ts'
import type { TestAnswer } from '../../support/test-guildhall.ts'

/** A dispatch about something that was said. */
export interface Fact {
  readonly t: string
  readonly channel: string
  readonly message: string | undefined
  /** What it is compared by. */
  readonly text: string
}

const messageShape = z.object({
  id: z.string(),
  channel_id: z.string(),
  referenced_message: z.object({ id: z.string() }).nullish(),
  attachments: z.array(z.object({ url: z.string() })).default([]),
})

/** A message as a dispatch or an answer has it. */
export const messageOf = (shown: unknown) => messageShape.parse(shown)

/** Whether who views a channel hears of it, also without its history. */
const ofTheChannel = ['MESSAGE_CREATE', 'CHANNEL_PINS_UPDATE', 'TYPING_START']
const ofTheMessage = ['MESSAGE_UPDATE', 'MESSAGE_DELETE', 'MESSAGE_REACTION_ADD', 'MESSAGE_REACTION_REMOVE']

/** The fact in a dispatch, if it has one. */
export function factIn({ t, d }: Payload): Fact | undefined {
  if (t === undefined || ![...ofTheChannel, ...ofTheMessage].includes(t)) return undefined
  const message = (d['message_id'] ?? d['id']) as string | undefined
  const channel = String(d['channel_id'])
  return { t, channel, message, text: `${t} ${channel} ${message ?? ''}` }
}

/** The whole message in a dispatch, if it has one. */
export function messageIn({ t, d }: Payload): ReturnType<typeof messageOf> | undefined {
  return t === 'MESSAGE_CREATE' || t === 'MESSAGE_UPDATE' ? messageOf(d) : undefined
}

/** Whether an account that HTTP gives these answers hears of a fact. */
export async function isHeard(
  { t, channel, message }: Fact,
  read: (path: string) => Promise<TestAnswer>,
): Promise<boolean> {
  const isOfChannel = ofTheChannel.includes(t) || message === undefined
  const path = isOfChannel ? `/v1/channels/${channel}` : messagesPath(channel, message)
  return (await read(path)).status === 200
}

/** Whether a dispatch is the message that ends a step. */
export const isMark = ({ t, d }: Payload, mark: string): boolean => t === 'MESSAGE_CREATE' && d['content'] === mark
