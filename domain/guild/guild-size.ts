import type { Decision } from '../kernel/decider.ts'
import { jsonBytes } from '../kernel/json-bytes.ts'
import { field } from '../kernel/refusal.ts'
import type { GuildEvent } from './events.ts'
import type { Guild, GuildState } from './state.ts'

/**
 * The maximum size in bytes of a guild's stored roles and channels: 3 KiB for each of 500 channels. The Gateway sends all of them
 * to each session (docs/decisions/0050-sizes-of-guilds.md).
 */
export const guildBytes_max = 1536 * 1024

const growing: ReadonlySet<GuildEvent['type']> = new Set([
  'RoleCreated',
  'RoleChanged',
  'ChannelCreated',
  'ChannelChanged',
  'ChannelOverwritesChanged',
  'ChannelMoved',
  'ChannelsReordered',
])

/**
 * Refuses a decision that would make the guild larger than `guildBytes_max`, with INVALID_FORM_BODY (TOO_LARGE at `root`). Guilds
 * from before this bound may be larger: decisions that do not make them larger still pass.
 */
export function withinSize(
  state: GuildState,
  decision: Decision<GuildEvent>,
  evolve: (state: GuildState, event: GuildEvent) => GuildState,
): Decision<GuildEvent> {
  if (state.status !== 'active' || decision.outcome === 'refused') return decision
  if (!decision.events.some(({ type }) => growing.has(type))) return decision
  const next = decision.events.reduce(evolve, state)
  if (next.status !== 'active') return decision
  const bytes = guildBytes(next)
  if (bytes <= guildBytes_max || bytes <= guildBytes(state)) return decision
  const details = { max_guild_bytes: guildBytes_max }
  return { outcome: 'refused', refusal: { code: 'INVALID_FORM_BODY', fields: [field('root', 'TOO_LARGE')], details } }
}

/** The size of a guild's roles and channels in bytes. */
export function guildBytes({ roles, channels }: Pick<Guild, 'roles' | 'channels'>): number {
  return [...roles, ...channels].reduce((sum, part) => sum + bytesOf(part), 0)
}

/** Role and channel objects never change: a write makes a new object. */
const known = new WeakMap<object, number>()

function bytesOf(part: object): number {
  const found = known.get(part)
  if (found !== undefined) return found
  const bytes = jsonBytes(part)
  known.set(part, bytes)
  return bytes
}
