import { fileBounds } from '../../../access/file-bounds.ts'
import type { FileBounds } from '../../../ports/attachments.ts'
import type { Ports } from '../../../ports.ts'
import { deletedAccount } from '../../../wire-objects/identity/deleted-account.ts'
import { requireShownToken } from './require-by-token.ts'

/**
 * How many files a webhook may send with a message, and how large: as its creator, if that were a bot. Nothing is read of a form for a
 * webhook whose token was not shown: refuses as `requireShownToken`.
 */
export async function fileBoundsByToken(
  ports: Pick<Ports, 'limits' | 'queries' | 'webhookBox'>,
  given: string,
  token: string,
): Promise<FileBounds> {
  const { creatorId, channelId } = await requireShownToken(ports, given, token)
  const creator = (await ports.queries.accounts.find(creatorId)) ?? deletedAccount(creatorId)
  return fileBounds(ports, { ...creator, bot: true }, channelId)
}
