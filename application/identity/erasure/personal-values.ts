import { channelId, membershipId, type AccountId } from '../../../domain/ids/ids.ts'
import type { Snowflake } from '../../../domain/ids/snowflake.ts'
import type { Position } from '../../../domain/kernel/position.ts'
import { definitionOf, personalSubjects } from '../../../domain/personal-parts.ts'
import { eventCatalogs } from '../../../domain/aggregates.ts'
import { isOver } from '../../../domain/store-purchase/shown-purchase.ts'
import { categoryOf } from '../../../domain/streams.ts'
import { UnreadableEvent } from '../../failures/unreadable-event.ts'
import type { PersonalValue, PersonalValues } from '../../ports/erasure-notes.ts'
import type { RecordedEvent } from '../../ports/event-store.ts'
import type { IndexedEvent } from '../../ports/queries/history-queries.ts'
import type { Ports } from '../../ports.ts'
import { purchasesOf } from '../premium/recompute-premium.ts'

export type GatheringNeeds = Pick<Ports, 'accountNotes' | 'aggregates' | 'events' | 'images' | 'messages' | 'queries'>

const page_events = 500
/** More than an account gathers in its life. What is beyond is the same kind of thing, and goes with the same key. */
const events_max = 20_000
const values_max = 5000
const notes_max = 500
const notePage_max = 100

/**
 * What belongs to the holder of an account: every personal part of every event that is sealed with its key, or with that of one
 * of its purchases that are over, its usernames, its notes to itself and its images. Which parts are personal is what the
 * catalogs of events say, so no list here can lag behind them. The read models must hold all of its events.
 */
export async function personalValuesOf(
  needs: GatheringNeeds,
  account: AccountId,
  purchases: readonly string[],
): Promise<PersonalValues> {
  const bought = await purchasesOf(needs, purchases)
  const over = bought.filter(isOver)
  const holders: readonly Snowflake[] = [account, ...over.map(({ purchaseId }) => purchaseId)]
  const kinds = new Map<string, string>()
  let isCut = false
  let unread_count = 0
  const add = ({ kind, text }: PersonalValue): void => {
    if (kinds.has(text) || !tellsOfSomebody(text)) return
    if (kinds.size < values_max) kinds.set(text, kind)
    else isCut = true
  }
  for (const holder of holders) {
    for await (const event of personalEvents(needs, holder)) {
      if (event === 'cut') isCut = true
      else if (event === 'unreadable') unread_count += 1
      else for (const value of personalIn(event, holder)) add(value)
    }
  }
  for (const text of await ownNotes(needs, account)) add({ kind: 'notes.content', text })
  for (const text of (await needs.accountNotes.of(account)).values()) add({ kind: 'account_notes.note', text })
  const values = [...kinds].map(([text, kind]) => ({ kind, text }))
  return {
    holders,
    values,
    images: await imagesOf(needs, account),
    isCut,
    running_count: bought.length - over.length,
    unread_count,
  }
}

type Read = RecordedEvent | 'unreadable'

/** The events with something of a holder: the oldest, with which it registered, and then the newest first; `cut` if they are too many. */
async function* personalEvents(needs: GatheringNeeds, holder: Snowflake): AsyncGenerator<Read | 'cut'> {
  const { history } = needs.queries
  const oldest = await history.personalOf(holder, { order: 'oldest', limit: page_events })
  yield* eventsAt(needs, oldest)
  const known = oldest.at(-1)?.position
  if (known === undefined || oldest.length < page_events) return
  let from: Position | undefined
  for (let count = 0; count < events_max; count += page_events) {
    const page = await history.personalOf(holder, { order: 'newest', from, limit: page_events })
    const more = page.filter(({ position }) => position > known)
    yield* eventsAt(needs, more)
    if (more.length < page_events) return
    from = page.at(-1)?.position
  }
  yield 'cut'
}

async function* eventsAt(
  { events }: Pick<GatheringNeeds, 'events'>,
  places: readonly Pick<IndexedEvent, 'stream' | 'revision'>[],
): AsyncGenerator<Read> {
  for (const { stream, revision } of places) {
    try {
      const event = await events.eventAt(stream, revision)
      if (event) yield event
    } catch (error) {
      if (!(error instanceof UnreadableEvent)) throw error
      yield 'unreadable'
    }
  }
}

/** The personal texts of an event that one key seals, and the username that an account's own event has in the clear. */
export function personalIn(event: RecordedEvent, holder: Snowflake): readonly PersonalValue[] {
  const { members, reason } = personalSubjects(event)
  const category = categoryOf(event.stream)
  if (category === undefined) return []
  const data: Readonly<Record<string, unknown>> = { ...event.data }
  const ofHolder = members === holder ? (definitionOf(eventCatalogs[category], event.type)?.personal ?? []) : []
  const username = category === 'account' ? data['username'] : undefined
  return [
    ...ofHolder.flatMap((member) => textsIn(data[member]).map((text) => ({ kind: `${category}.${member}`, text }))),
    ...(reason === holder && event.metadata.reason !== undefined
      ? [{ kind: `${category}.reason`, text: event.metadata.reason }]
      : []),
    ...(typeof username === 'string' ? [{ kind: usernameKind, text: username }] : []),
  ]
}

/** Usernames were public, and history keeps them (rules/users#erasure). */
export const usernameKind = 'account.username'

/** The texts in a value: itself, or those of its members, however deep. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

/**
 * Ids and instants stand in many rows, and say nothing of their own. The address of the machine itself is everybody's who comes from
 * there, and that of the server too. The others are words of JSON.
 */
const impersonal =
  /^(?:\d{15,20}|\d{4}-\d\d-\d\dT[\d:.]+Z|(?:::ffff:)?127\.\d+\.\d+\.\d+(?:\/\d+)?|::1?(?:\/\d+)?|null|true|false|)$/

const tellsOfSomebody = (text: string): boolean => !impersonal.test(text)

/** The newest of the account's notes to itself, in the channel that has its id. */
async function ownNotes({ messages }: GatheringNeeds, account: AccountId): Promise<readonly string[]> {
  const texts: string[] = []
  let page = await messages.page(channelId(account), { limit: notePage_max })
  while (page.length > 0) {
    texts.push(...page.map(({ content }) => content))
    const last = page.at(-1)
    if (!last || texts.length >= notes_max) break
    page = await messages.page(channelId(account), { limit: notePage_max, before: last.id })
  }
  return texts
}

async function imagesOf({ images, queries }: GatheringNeeds, account: AccountId): Promise<readonly string[]> {
  const memberships = await queries.members.ofAccount(account)
  const owners = [account, ...memberships.map(({ guildId }) => membershipId(guildId, account))]
  const hashes: string[] = []
  for (const owner of owners) hashes.push(...(await images.contentsOf(owner)))
  return [...new Set(hashes)]
}
