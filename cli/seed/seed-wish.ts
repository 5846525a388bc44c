import { snowflakeEpochMs } from '../../domain/ids/snowflake.js'
import type { SeedSizes } from './seeding.js'

/** As the command line gives them. */
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
/** 500, without the four that every guild begins with. */
const channels_max = 496
const seed_max = 2 ** 32 - 1
/** How long the guild has been lived in. */
export const past_ms = 180 * 86_400_000
/** What is made up has ids of its time, and these tell 2^41 milliseconds apart. */
const until = { min_ms: snowflakeEpochMs + past_ms, max_ms: snowflakeEpochMs + 2 ** 41 - 1 } as const

/** The same, read. */
export interface SeedWish {
  readonly sizes: SeedSizes
  readonly guildName: string
  readonly owner: string | undefined
  readonly seed: number
  readonly until_ms: number
}

/** Throws, for the operator to read, where a number or an instant is none, or is out of its bounds. */
export function wishOf(options: SeedOptions): SeedWish {
  const { owner, name } = options
  if (name.length < 1 || name.length > 100) throw new Error('--name has to have 1 to 100 characters')
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
