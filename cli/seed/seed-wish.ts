import { snowflakeEpochMs } from '../../domain/ids/snowflake.ts'
import type { SeedSizes } from './seeding.ts'

/** The options as the command line gives them. */
export interface SeedOptions {
  readonly members: string
  readonly messages: string
  readonly channels: string
  readonly owner?: string
  readonly name: string
  readonly seed: string
  readonly until?: string
}

const members_max = 1_000_000
const messages_max = 10_000_000
/** 500, minus the four that every guild begins with. */
const channels_max = 496
const seed_max = 2 ** 32 - 1
/** The time span of the guild's made-up past. */
export const past_ms = 180 * 86_400_000
/** The made-up objects have ids of their time, and ids cover 2^41 milliseconds. */
const until = { min_ms: snowflakeEpochMs + past_ms, max_ms: snowflakeEpochMs + 2 ** 41 - 1 } as const

/** The parsed options. */
export interface SeedWish {
  readonly sizes: SeedSizes
  readonly guildName: string
  readonly owner: string | undefined
  readonly seed: number
  readonly until_ms: number
}

/** Throws, with a message for the operator, if a number or an instant is invalid or out of its bounds. */
export function wishOf(options: SeedOptions): SeedWish {
  const { owner, name } = options
  if (name.length < 1 || name.length > 100) throw new Error('--name must have 1 to 100 characters')
  return {
    sizes: {
      members_count: numberIn('--members', options.members, members_max),
      channels_count: numberIn('--channels', options.channels, channels_max),
      messages_count: numberIn('--messages', options.messages, messages_max),
    },
    guildName: name,
    owner,
    seed: numberIn('--seed', options.seed, seed_max),
    until_ms: options.until === undefined ? Date.now() : instantIn(options.until),
  }
}

function numberIn(option: string, text: string, max: number): number {
  const number = Number(text)
  if (!/^\d+$/.test(text) || number > max) throw new Error(`${option} ${text} is not a number from 0 to ${max}`)
  return number
}

function instantIn(text: string): number {
  const instant_ms = Date.parse(text)
  if (Number.isNaN(instant_ms)) throw new Error(`--until ${text} is not an instant, as in 2030-01-31T12:00Z`)
  if (instant_ms >= until.min_ms && instant_ms <= until.max_ms) return instant_ms
  const [first, last] = [until.min_ms, until.max_ms].map((bound_ms) => new Date(bound_ms).toISOString())
  throw new Error(`--until ${text} is not from ${first} to ${last}: ids are of that time`)
}
