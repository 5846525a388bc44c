import type { Channel } from '../../domain/guild/channel.ts'
import type { ColumnValue, Row } from '../runner/projection.ts'

/** The column of each member of a channel. */
const columnOf: Readonly<Record<keyof Channel, string>> = {
  id: 'id',
  type: 'type',
  name: 'name',
  position: 'position',
  parentId: 'parent_id',
  overwrites: 'overwrites',
  topic: 'topic',
  url: 'url',
  nsfw: 'nsfw',
  nsfwOverride: 'nsfw_override',
  contentWarningLevel: 'content_warning_level',
  contentWarningText: 'content_warning_text',
  rateLimitPerUser: 'rate_limit_per_user',
  voice: 'voice',
  threads: 'threads',
  forum: 'forum',
}

/** The given members of a channel as columns, and no others. */
export function channelColumns(channel: Partial<Channel>): Row {
  const row: Record<string, ColumnValue> = {}
  let name: keyof Channel
  for (name in columnOf) {
    const value =
      name === 'overwrites' ? channel.overwrites?.map((overwrite) => ({ ...overwrite })) : plain(channel[name])
    if (value !== undefined) row[columnOf[name]] = value
  }
  return row
}

function plain(value: Channel[Exclude<keyof Channel, 'overwrites'>] | undefined): ColumnValue | undefined {
  return typeof value === 'object' && value !== null ? { ...value } : value
}
