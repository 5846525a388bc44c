import type { Guild } from '../../../domain/guild/state.ts'
import type { WebhookId } from '../../../domain/ids/ids.ts'
import type { Ports } from '../../ports.ts'
import { webhookImages } from '../webhooks/webhook-images.ts'

/** The icon of a guild as the image of a follower, which gets a copy of its own; null for none. */
export async function iconOf(
  { images }: Pick<Ports, 'images'>,
  { id, settings: { icon } }: Guild,
  follower: WebhookId,
): Promise<string | null> {
  if (icon === null) return null
  return (await images.copy({ kind: 'icons', owner: id }, icon, webhookImages(follower))) ? icon : null
}
