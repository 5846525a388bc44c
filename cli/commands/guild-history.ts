import { guildChanges, type GuildChangesObject } from '../../application/administration/history/guild-differences.ts'
import { nothingRevealed } from '../../application/administration/history/masked-event.ts'
import { readGuildAs } from '../../application/administration/history/read-guild.ts'
import { accountId, type AccountId } from '../../domain/ids/ids.ts'
import { parseSnowflake } from '../../domain/ids/snowflake.ts'
import { refuseWithoutReadModels } from '../../process/read-models-fit.ts'
import type { Store } from '../../process/store.ts'
import { openQueries } from '../../projections/read-models.ts'
import { besideServer } from './beside.ts'
import { guildIn } from './guild-named.ts'
import { instantIn } from './instant-named.ts'
import { positionIn } from './position-named.ts'
import { actorObjectText, type Print } from './printed-events.ts'
import { printGuild } from './printed-guild.ts'
import { unlessRefused } from './refused-moments.ts'

export interface ShowGuildOptions {
  /** An instant; now by default. */
  readonly at?: string
  /** How many members, bans and invites. */
  readonly limit: string
  /** Accounts, and a code, after which the pages begin. */
  readonly membersAfter?: string
  readonly bansAfter?: string
  readonly invitesAfter?: string
  readonly json?: boolean
}

export interface GuildChangesOptions {
  /** Instants; the founding and now by default. */
  readonly from?: string
  readonly to?: string
  /** How many changes. */
  readonly limit: string
  /** A position. */
  readonly after?: string
  readonly json?: boolean
}

const limit_max = 1000

/**
 * Prints a guild as it was at a moment, folded from its events: settings, roles, channels, pages of members, bans and invites, and
 * the listing. Leaves out what is personal. With `json` as the Admin API answers it.
 */
export async function showGuild(text: string, options: ShowGuildOptions, print: Print): Promise<void> {
  const id = guildIn(text)
  const at = instantIn(options.at, '--at')
  const question = {
    at,
    membersAfter: accountIn(options.membersAfter, '--members-after'),
    bansAfter: accountIn(options.bansAfter, '--bans-after'),
    invitesAfter: options.invitesAfter,
    limit: limitIn(options.limit),
  }
  await besideServer(async (store) => {
    const needs = await needsOf(store)
    const found = await unlessRefused(readGuildAs(needs, nothingRevealed, id, question), `There is no guild ${id}`)
    if (options.json === true) print(JSON.stringify(found))
    else printGuild(found, at, print)
  })
}

/** Prints a page of what changed in a guild between two moments, each change in words with its time, its actor and its operation. */
export async function printGuildChanges(text: string, options: GuildChangesOptions, print: Print): Promise<void> {
  const id = guildIn(text)
  const { from, to, after, limit } = options
  const span = {
    from: instantIn(from, '--from'),
    to: instantIn(to, '--to'),
    after: positionIn(after),
    limit: limitIn(limit),
  }
  await besideServer(async (store) => {
    const needs = { ...(await needsOf(store)), revealed: nothingRevealed }
    const found = await unlessRefused(guildChanges(needs, id, span), `There is no guild ${id}`)
    if (options.json === true) print(JSON.stringify(found))
    else printChanges(found, print)
  })
}

async function needsOf(store: Store) {
  await refuseWithoutReadModels(store)
  return { events: store.events, queries: openQueries(store.database) }
}

function printChanges({ changes, truncated }: GuildChangesObject, print: Print): void {
  for (const { text, by } of changes) {
    const operation = by.operation === null ? '' : `, ${by.operation}`
    const reason = by.reason === null ? '' : `, reason: ${by.reason}`
    print(`${by.at}  ${text}`)
    print(`       by ${actorObjectText(by.actor)}${operation}${reason}, event ${by.event_id}`)
  }
  if (changes.length === 0) print('Nothing differs.')
  if (truncated) print(`There are more: --after ${changes.at(-1)?.by.position ?? ''}`)
}

function accountIn(text: string | undefined, option: string): AccountId | undefined {
  if (text === undefined) return undefined
  const parsed = parseSnowflake(text)
  if (!parsed.ok) throw new Error(`${option} takes the id of an account, not ${text}`)
  return accountId(parsed.id)
}

function limitIn(text: string): number {
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (limit < 1 || limit > limit_max) throw new Error(`--limit takes a number from 1 to ${limit_max}`)
  return limit
}
