import { z } from 'zod'
import type { WebhookChanges } from '../../../../application/communities/webhooks/change-webhook.ts'
import type { WebhookWishes } from '../../../../application/communities/webhooks/create-webhook.ts'
import type { Length } from '../../../../domain/text/normalise.ts'
import { profileImageInput } from '../images.ts'
import { channelIdInput, nameInput, orNull } from '../scalars.ts'

const webhookNameLength: Length = { min: 1, max: 80 }
const name = nameInput(webhookNameLength).describe('What its messages are from, unless they say another name.')
const avatar = profileImageInput.nullable()

/** The body of Create webhook. */
export const webhookWishes = z
  .object({ name, avatar: orNull(profileImageInput) })
  .transform((wishes): WebhookWishes => wishes)

/** The body of Modify webhook. Members that are not sent stay as they are. */
export const webhookChanges = z
  .object({
    name: name.optional(),
    avatar: avatar.optional(),
    channel_id: channelIdInput.optional().describe('Another channel of the same guild.'),
  })
  .transform(({ channel_id: channelId, ...changes }): WebhookChanges => ({ ...changes, channelId }))

/** The body of Modify webhook with token, which takes nothing else. */
export const webhookTokenChanges = z
  .strictObject({ name: name.optional(), avatar: avatar.optional() })
  .transform((changes): WebhookChanges => changes)
