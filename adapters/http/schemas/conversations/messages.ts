import { z } from 'zod'
import { partialUser } from '../identity/account/users.ts'
import { nothingBuilt } from '../communities/guilds.ts'
import { snowflakeOutput, timestampOutput } from '../outputs.ts'
import { thread } from './thread-outputs.ts'

const reference = z.object({
  channel_id: snowflakeOutput,
  message_id: snowflakeOutput,
  guild_id: snowflakeOutput.optional(),
  type: z.int(),
})

const members = {
  id: snowflakeOutput,
  channel_id: snowflakeOutput,
  author: partialUser,
  type: z.int(),
  flags: z.int(),
  content: z.string(),
  timestamp: timestampOutput,
  edited_timestamp: timestampOutput.nullable(),
  pinned: z.boolean(),
  mention_everyone: z.boolean(),
  tts: z.boolean(),
  mentions: z.array(partialUser).readonly(),
  mention_roles: z.array(snowflakeOutput).readonly(),
  embeds: nothingBuilt,
  attachments: nothingBuilt,
  stickers: nothingBuilt,
  message_reference: reference.optional(),
}

/** A message. `referenced_message` is the one that it answers. */
export const message = z
  .object({
    ...members,
    nonce: z.string().optional(),
    referenced_message: z.object(members).nullable().optional(),
    thread: thread.optional(),
  })
  .meta({ id: 'Message' })

export const messageList = z.array(message).readonly()
