import { accountId, channelId, guildId } from '../../../domain/ids/ids.ts'
import { parseSnowflake, type Snowflake } from '../../../domain/ids/snowflake.ts'
import {
  adminUserSummary,
  channelSummary,
  kindOfTarget,
  type Related,
} from '../../wire-objects/administration/admin-audit-objects.ts'
import type { AdminAuditRecord } from '../../ports/queries/admin-audit-queries.ts'
import type { Ports } from '../../ports.ts'

type Kind = NonNullable<ReturnType<typeof kindOfTarget>>

/** More than one page of entries can name. */
const looked_up_max = 1000

/** Looks up what entries refer to: the administrators, the targets, and the objects named in metadata. */
export async function relatedTo(
  { queries }: Pick<Ports, 'queries'>,
  entries: readonly AdminAuditRecord[],
): Promise<Related> {
  const named = entries.flatMap(namedIn)
  const ids = (kind: Kind): readonly Snowflake[] =>
    [...new Set(named.filter((one) => one.kind === kind).map(({ id }) => id))].slice(0, looked_up_max)
  const [users, guilds, channels] = await Promise.all([
    queries.accounts.findMany(ids('user').map(accountId)),
    queries.guilds.namesOf(ids('guild').map(guildId)),
    queries.guilds.channelNamesOf(ids('channel').map(channelId)),
  ])
  return {
    related_users: Object.fromEntries(users.map((user) => [user.id, adminUserSummary(user)])),
    related_guilds: Object.fromEntries(guilds.map(({ id, name }) => [id, { id, name }])),
    related_channels: Object.fromEntries(channels.map((channel) => [channel.id, channelSummary(channel)])),
  }
}

interface Named {
  readonly kind: Kind
  readonly id: Snowflake
}

function namedIn({ adminId, targetType, targetId, metadata }: AdminAuditRecord): readonly Named[] {
  const target = kindOfTarget(targetType)
  return [
    { kind: 'user', id: adminId },
    ...(target === undefined ? [] : named(target, targetId)),
    ...Object.entries(metadata).flatMap(([name, value]) => {
      const kind = /(?:^|_)(?<kind>user|guild|channel)_id$/.exec(name)?.groups?.['kind']
      return kind === 'user' || kind === 'guild' || kind === 'channel' ? named(kind, value) : []
    }),
  ]
}

function named(kind: Kind, text: string): readonly Named[] {
  const parsed = parseSnowflake(text)
  return parsed.ok ? [{ kind, id: parsed.id }] : []
}
