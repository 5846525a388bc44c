import { entryId } from '../../../domain/ids/ids.ts'
import { parseSnowflake } from '../../../domain/ids/snowflake.ts'
import type { HistoryQueries } from '../../ports/queries/history-queries.ts'

type Needs = Pick<HistoryQueries, 'find' | 'ofCorrelation' | 'ofEntry' | 'requestsOf'>

/** How many requests with the same id of their clients are explained at most: the newest. */
export const explainedRequests_max = 20
/** How many ids are looked for in a text, and how long they are at least. */
const words_max = 16
const word_chars_min = 8

/** The requests that an id or a text names, by their correlation ids. */
export interface NamedRequests {
  /** The oldest first. None for what no event knows. */
  readonly correlationIds: readonly string[]
  /** Whether there are more. */
  readonly hasMore: boolean
}

/**
 * The requests that belong to an entry of the admin audit log, an event, or a request's id, ours or its client's. A longer text, for
 * instance a line of the log, names the first of its words that is one of these.
 */
export async function requestsNamed(history: Needs, text: string): Promise<NamedRequests> {
  for (const id of idsIn(text)) {
    const found = await requestsOf(history, id)
    if (found.correlationIds.length > 0) return found
  }
  return { correlationIds: [], hasMore: false }
}

async function requestsOf(history: Needs, id: string): Promise<NamedRequests> {
  const entry = parseSnowflake(id)
  const [ofEntry] = entry.ok ? await history.ofEntry(entryId(entry.id), 1) : []
  const event = ofEntry ?? (uuid.test(id) ? await history.find(id) : undefined)
  if (event) return { correlationIds: [event.correlationId], hasMore: false }
  const [[own], chosen] = await Promise.all([
    history.ofCorrelation(id, 1),
    history.requestsOf(id, explainedRequests_max + 1),
  ])
  const newest = chosen.slice(0, explainedRequests_max).toReversed()
  return { correlationIds: own ? [id, ...newest] : newest, hasMore: chosen.length > explainedRequests_max }
}

/** The whole text, and the words of it that look like ids, UUIDs first. */
function idsIn(text: string): readonly string[] {
  const uuids = text.match(uuidsIn) ?? []
  const words = text.split(/[^\x21-\x7e]+|["'`,;=()[\]{}<>]+/).filter((word) => word.length >= word_chars_min)
  const within = [...uuids, ...words.filter((word) => /\d/.test(word))].slice(0, words_max)
  return [...new Set([...(id.test(text) ? [text] : []), ...within])]
}

const id = /^[\x20-\x7e]{1,128}$/
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i
const uuidsIn = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/gi
