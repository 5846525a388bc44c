import { channelId } from '../../domain/ids/ids.ts'
import { parseSnowflake } from '../../domain/ids/snowflake.ts'
import type { FileBounds } from '../ports/attachments.ts'
import type { LimitedAccount } from '../ports/limits.ts'
import type { Ports } from '../ports.ts'

/** However far the limits go, a bot sends no larger file. */
const botFile_bytes = 52_428_800

/**
 * How many files the account may send with a message in a channel, and how large: by its own limits, or those of everybody in the
 * guild. A channel that does not exist has the account's own, since the message is refused anyway (rules/messages#files).
 */
export async function fileBounds(
  { limits, queries }: Pick<Ports, 'limits' | 'queries'>,
  account: LimitedAccount,
  channel: string | null,
): Promise<FileBounds> {
  const own = await limits.ofAccount(account)
  const parsed = parseSnowflake(channel ?? '')
  const id = parsed.ok ? channelId(parsed.id) : undefined
  const parent = id && ((await queries.threads.find(id))?.parentId ?? id)
  const found = parent && (await queries.guilds.findByChannel(parent, account.id))
  const there = found ? await limits.ofGuild(found.guild) : own
  const file_bytes_max = Math.max(own.max_attachment_file_size, there.max_attachment_file_size)
  return {
    files_max: Math.max(own.max_attachments_per_message, there.max_attachments_per_message),
    file_bytes_max: account.bot ? Math.min(file_bytes_max, botFile_bytes) : file_bytes_max,
  }
}
