import type { AccountId, WebhookId } from '../../../domain/ids/ids.ts'
import { requireUnlistedAvatar } from '../../content-rules/require-unlisted-file.ts'
import { readImage, type ReadingNeeds } from '../../images/read-image.ts'
import type { Asker } from '../../ports/asker.ts'
import type { ImageLocation } from '../../ports/images.ts'
import type { Ports } from '../../ports.ts'

/** The images of webhooks are beside those of accounts, as clients look for the avatars of authors there. */
export const webhookImages = (owner: WebhookId): ImageLocation => ({ kind: 'avatars', owner })

/**
 * Stores the image that a webhook is to have, before anything names it; null for none. Nothing removes one that it had before but the
 * sweep of what nothing shows: its messages name it. Refuses as `readImage` at `avatar`, by the limit
 * of the account that is meant, and with CONTENT_BLOCKED for a listed one.
 */
export async function storedAvatar(
  ports: ReadingNeeds & Pick<Ports, 'limits'>,
  { asker, accountId }: { readonly asker: Asker; readonly accountId: AccountId },
  id: WebhookId,
  bytes: Uint8Array | null,
): Promise<string | null> {
  if (bytes === null) return null
  const account = await ports.queries.accounts.find(accountId)
  const { avatar_max_size: bytes_max } = account ? await ports.limits.ofAccount(account) : ports.limits.defaults.default
  const image = await readImage(ports, asker, { path: 'avatar', bytes, bytes_max })
  await requireUnlistedAvatar(ports, image.hash)
  return (await image.store(webhookImages(id))).hash
}
