import { guildId, type GuildId } from '../../domain/ids/ids.ts'
import { closings } from './closings.ts'
import { identifyPresence, type IdentifyPresence } from './presence-fields.ts'
import {
  isObject,
  isStringList,
  readable,
  snowflakeIn,
  tokenIn,
  unreadable,
  type JsonObject,
  type Read,
} from './read.ts'

/** The parsed body of an Identify. There are no intents: all other members are ignored. */
export interface Identify {
  readonly token: string
  readonly presence: IdentifyPresence
  /** In upper case, without repeats. */
  readonly ignoredEvents: ReadonlySet<string>
  /** Bits of `sessionFlags`; others are ignored. */
  readonly flags: number
  readonly initialGuildId: GuildId | undefined
  readonly shard: Shard | undefined
  readonly coordinates: Coordinates
}

/** `[id, count]`. */
export type Shard = readonly [number, number]

/** The client's position, as decimal strings. */
export interface Coordinates {
  readonly latitude?: string
  readonly longitude?: string
}

export const sessionFlags = { DEBOUNCE_MESSAGE_REACTIONS: 1 << 1, CHANNEL_THREADS: 1 << 2 } as const

export const ignoredEvents_max = 256
const shards_max = 16_384
const coordinate = /^[+-]?[0-9]+(?:\.[0-9]+)?$/
const coordinateLength_max = 32

/**
 * Parses `d` of an Identify. Refuses with 4002 `Invalid identify payload`, 4010 `Invalid shard`, and 4000 `Failed to start
 * session` for invalid coordinates.
 */
export function readIdentify(d: unknown): Read<Identify> {
  if (!isObject(d)) return unreadable(closings.invalidIdentify)
  const { token, properties, flags = 0 } = d
  if (typeof token !== 'string' || !areProperties(properties)) return unreadable(closings.invalidIdentify)
  if (typeof flags !== 'number' || !Number.isSafeInteger(flags) || flags < 0) {
    return unreadable(closings.invalidIdentify)
  }
  const ignoredEvents = readIgnoredEvents(d['ignored_events'])
  if (!ignoredEvents) return unreadable(closings.invalidIdentify)
  const shard = readShard(d['shard'])
  if (shard === 'invalid') return unreadable(closings.invalidShard)
  const coordinates = readCoordinates(properties)
  if (coordinates === 'invalid') return unreadable(closings.startFailed)
  const initialGuild = snowflakeIn(d['initial_guild_id'])
  return readable({
    token: tokenIn(token),
    presence: identifyPresence(d['presence'], properties['mobile'] === true),
    ignoredEvents,
    flags,
    initialGuildId: initialGuild && guildId(initialGuild),
    shard,
    coordinates,
  })
}

/** Whether dispatches of a guild, or of no guild, go to a shard. */
export function isOnShard(shard: Shard | undefined, guild: GuildId | null): boolean {
  if (!shard) return true
  const [id, count] = shard
  return guild === null ? id === 0 : (BigInt(guild) >> 22n) % BigInt(count) === BigInt(id)
}

function areProperties(value: unknown): value is JsonObject {
  return isObject(value) && ['os', 'browser', 'device'].every((name) => typeof value[name] === 'string')
}

function readIgnoredEvents(value: unknown): ReadonlySet<string> | undefined {
  if (value === undefined || value === null) return new Set()
  if (!isStringList(value) || value.length > ignoredEvents_max) return undefined
  return new Set(value.map((name) => name.toUpperCase()))
}

function readShard(value: unknown): Shard | undefined | 'invalid' {
  if (value === undefined) return undefined
  if (!Array.isArray(value) || value.length !== 2) return 'invalid'
  const [id, count]: readonly unknown[] = value
  if (!isWholeNumber(id) || !isWholeNumber(count)) return 'invalid'
  return count <= shards_max && id < count ? [id, count] : 'invalid'
}

function isWholeNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0
}

function readCoordinates({ latitude, longitude }: JsonObject): Coordinates | 'invalid' {
  const coordinates: { latitude?: string; longitude?: string } = {}
  for (const [name, value] of Object.entries({ latitude, longitude })) {
    if (value === undefined || value === null) continue
    if (typeof value !== 'string' || value.length > coordinateLength_max || !coordinate.test(value)) return 'invalid'
    coordinates[name === 'latitude' ? 'latitude' : 'longitude'] = value
  }
  return coordinates
}
