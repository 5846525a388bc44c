import { expect } from 'vitest'
import { z } from 'zod'
import type { Payload } from '../../gateway/support/client.ts'
import { messagesPath } from '../../operations/support/messages.ts'
import type { TestAnswer } from '../../support/test-guildhall.ts'

const attachments = z.array(z.object({ url: z.string() })).default([])
const messageShape = z.object({
  id: z.string(),
  channel_id: z.string(),
  referenced_message: z.object({ id: z.string(), channel_id: z.string(), attachments }).nullish(),
  attachments,
  message_snapshots: z.array(z.object({ attachments })).default([]),
})

/** What only dispatches have of a message. */
const toldAlone = ['guild_id', 'member', 'channel_type', 'nonce']

/**
 * Expects that the message in a dispatch is what HTTP shows to the same account, if it shows it the message; that it shows it a
 * message that is quoted; and that all addresses of files can be read.
 */
export async function compareMessage(
  { t, d }: Payload,
  url: string,
  read: (path: string) => Promise<TestAnswer>,
): Promise<void> {
  if (t !== 'MESSAGE_CREATE' && t !== 'MESSAGE_UPDATE') return
  const told = messageShape.parse(d)
  const shown = await read(messagesPath(told.channel_id, told.id))
  if (shown.status === 200) {
    const members = Object.entries(d).filter(([name]) => !toldAlone.includes(name))
    const body = t === 'MESSAGE_CREATE' ? withoutReactions(shown.body) : shown.body
    expect(withoutSignatures(Object.fromEntries(members))).toStrictEqual(withoutSignatures(body))
  }
  const { referenced_message: quoted } = told
  if (quoted) expect((await read(messagesPath(quoted.channel_id, quoted.id))).status).toBe(200)
  const holders = [told, ...told.message_snapshots, ...(quoted ? [quoted] : [])]
  for (const { url: address } of holders.flatMap((holder) => holder.attachments)) {
    const { pathname, search } = new URL(address)
    expect((await fetch(new URL(pathname + search, url))).status).toBe(200)
  }
}

/** What is new quotes a message without its reactions. */
function withoutReactions(message: unknown): unknown {
  const { referenced_message: quoted, ...others } = message as Quoting
  if (!quoted) return message
  const { reactions: _, ...plain } = quoted
  return { ...others, referenced_message: plain }
}

interface Quoting {
  readonly referenced_message?: { readonly reactions?: unknown } | null
}

/** Expects that a dispatch about pins says when HTTP says that the last one was. */
export async function comparePins({ t, d }: Payload, read: (path: string) => Promise<TestAnswer>): Promise<void> {
  if (t !== 'CHANNEL_PINS_UPDATE') return
  expect((await read(`/v1/channels/${String(d['channel_id'])}`)).body).toMatchObject({
    last_pin_timestamp: d['last_pin_timestamp'],
  })
}

/** The addresses of files end at times of their own. */
function withoutSignatures(message: unknown): unknown {
  return JSON.parse(JSON.stringify(message).replaceAll(/(\/media\/[^"?]+)\?[^"]*/g, '$1'))
}
