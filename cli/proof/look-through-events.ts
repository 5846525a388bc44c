import type { ValueFinder } from '../../adapters/erasure-notes/find-values.ts'
import { personalIn, usernameKind } from '../../application/identity/erasure/personal-values.ts'
import type { RecordedEvent } from '../../application/ports/event-store.ts'
import { beforeAll } from '../../domain/kernel/position.ts'
import { personalSubjects } from '../../domain/personal-parts.ts'
import type { Store } from '../../process/store.ts'
import { shareOf } from '../progress-bar.ts'
import type { Findings } from './findings.ts'

export interface Looking {
  readonly finder: ValueFinder
  readonly findings: Findings
  readonly signal: AbortSignal
  /** How much of this part is done, from 0 to 1, and what in numbers. */
  readonly onProgress: (share: number, text: string) => void
}

/** How much was looked through. */
export interface LookedThrough {
  readonly count: number
  readonly bytes: number
}

/**
 * Looks through every event of the store, whichever that is, twice: as it reads with the keys that there still are, for what can
 * still be read of the account and for values that are somebody else's too; and as it is stored. Resolves once both are done.
 */
export async function lookThroughEvents(
  { events, stored }: Pick<Store, 'events' | 'stored'>,
  holders: readonly string[],
  looking: Looking,
): Promise<LookedThrough> {
  await readOpened(events, new Set(holders), looking)
  const { finder, findings, signal, onProgress } = looking
  let [count, bytes] = [0, 0]
  const end = await stored.end()
  for await (const page of stored.readAll(beforeAll)) {
    signal.throwIfAborted()
    for (const { stream, revision, position, type, data, metadata } of page) {
      const text = Buffer.from(JSON.stringify([stream, type, data, metadata]), 'utf8')
      count += 1
      bytes += text.length
      for (const found of finder.in(text))
        findings.add(found, { area: 'events', ...namedEvent(finder, stream, revision, position) })
    }
    onProgress(secondHalf(shareOf(page.at(-1)?.position ?? end, beforeAll, end)), `${count} events as they are stored`)
  }
  return { count, bytes }
}

const firstHalf = (share: number): number => share / 2
const secondHalf = (share: number): number => (1 + share) / 2

/** A stream has the username of an account in its name, or another value: then the position names the event. */
function namedEvent(finder: ValueFinder, stream: string, revision: number, position: bigint) {
  return finder.in(Buffer.from(stream, 'utf8')).length > 0 || finder.in(Buffer.from(idPart(stream), 'utf8')).length > 0
    ? { container: 'event at position', detail: String(position) }
    : { container: stream, detail: `@${revision}` }
}

const idPart = (stream: string): string => stream.slice(stream.indexOf('-') + 1)

async function readOpened(
  events: Store['events'],
  holders: ReadonlySet<string>,
  { finder, findings, signal, onProgress }: Looking,
): Promise<void> {
  let count = 0
  const end = await events.end()
  for await (const page of events.readAll(beforeAll)) {
    signal.throwIfAborted()
    for (const event of page) {
      for (const subject of subjectsOf(event)) {
        const texts = personalIn(event, subject)
        if (holders.has(subject)) {
          const readable = texts.find(({ kind }) => kind !== usernameKind)
          const place = { area: 'events', container: event.stream, detail: `@${event.revision}` } as const
          if (readable) findings.addReadable(readable.kind, place)
        } else
          for (const { text } of texts)
            for (const found of finder.in(Buffer.from(text, 'utf8'))) findings.noteOfOthers(found)
      }
    }
    count += page.length
    onProgress(firstHalf(shareOf(page.at(-1)?.position ?? end, beforeAll, end)), `${count} events as they can be read`)
  }
}

function subjectsOf(event: RecordedEvent) {
  const { members, reason } = personalSubjects(event)
  return new Set([members ?? [], reason ?? []].flat())
}
