import { z } from 'zod'
import { partialUser } from '../identity/account/users.ts'
import { nothingBuilt } from '../communities/guilds.ts'
import { snowflakeOutput, timestampOutput } from '../outputs.ts'
import { thread } from './thread-outputs.ts'
import { messageTypes } from '../../../../application/ports/messages.ts'
import { messageFlags } from '../../../../domain/messages/message-flags.ts'
import { bitsInWords, valuesInWords } from '../../../../application/wire-objects/registries-in-words.ts'

const messageKinds = valuesInWords(messageTypes)

const reference = z.object({
  channel_id: snowflakeOutput,
  message_id: snowflakeOutput,
  guild_id: snowflakeOutput.optional(),
  type: z.int().describe('0 a reply.'),
})

const members = {
  id: snowflakeOutput,
  channel_id: snowflakeOutput,
  author: partialUser,
  type: z.int().describe(messageKinds),
  flags: z.int().describe(bitsInWords(messageFlags)),
  content: z.string().describe('Text in Markdown. At most 2000 characters, 4000 with premium.'),
  timestamp: timestampOutput,
  edited_timestamp: timestampOutput.nullable().describe('Null if it was never changed.'),
  pinned: z.boolean().describe('Whether it is pinned.'),
  mention_everyone: z.boolean().describe('Whether it notifies everyone.'),
  tts: z.boolean().describe('Whether clients read it aloud.'),
  mentions: z.array(partialUser).readonly().describe('The accounts that it mentions.'),
  mention_roles: z.array(snowflakeOutput).readonly().describe('The roles that it mentions.'),
  embeds: nothingBuilt.describe('Always empty.'),
  attachments: nothingBuilt.describe('Always empty.'),
  stickers: nothingBuilt.describe('Always empty.'),
  message_reference: reference.optional().describe('The message that it replies to.'),
}

/** A message. `referenced_message` is the one that it answers. */
export const message = z
  .object({
    ...members,
    nonce: z
      .string()
      .optional()
      .describe(
        'Chosen by the sender: comes back with the message. A repeated one within minutes gives the first message again.',
      ),
    referenced_message: z
      .object(members)
      .nullable()
      .optional()
      .describe('The message that it replies to; null if that is deleted.'),
    thread: thread.optional(),
  })
  .meta({ id: 'Message' })

export const messageList = z.array(message).readonly()
