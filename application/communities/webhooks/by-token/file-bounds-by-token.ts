import { parseSnowflake } from '../../../../domain/ids/snowflake.ts'
import { webhookId } from '../../../../domain/ids/ids.ts'
import { fileBounds } from '../../../access/file-bounds.ts'
import { reject } from '../../../commands/refused.ts'
import type { FileBounds } from '../../../ports/attachments.ts'
import type { Ports } from '../../../ports.ts'
import { deletedAccount } from '../../../wire-objects/identity/deleted-account.ts'
import { requireByToken } from './require-by-token.ts'

/**
 * How many files a webhook may send with a message, and how large: as its creator, if that were a bot. Nothing is read of a form for a
 * webhook whose token was not shown: refuses as `requireByToken`.
 */
export async function fileBoundsByToken(
  ports: Pick<Ports, 'limits' | 'queries' | 'webhookBox'>,
  given: string,
  token: string,
): Promise<FileBounds> {
  const parsed = parseSnowflake(given)
  if (!parsed.ok) return reject('UNKNOWN_WEBHOOK')
  const { creatorId, channelId } = await requireByToken(ports, { id: webhookId(parsed.id), token })
  const creator = (await ports.queries.accounts.find(creatorId)) ?? deletedAccount(creatorId)
  return fileBounds(ports, { ...creator, bot: true }, channelId)
}
